/** Shares work in progress: a concurrent caller with the same key gets the same result. */
export class SingleFlight<T> {
  private readonly flights = new Map<string, Promise<T>>();

  run(key: string, work: () => Promise<T>): Promise<T> {
    const underway = this.flights.get(key);
    if (underway !== undefined) return underway;
    const flight = work().finally(() => this.flights.delete(key));
    this.flights.set(key, flight);
    return flight;
  }
}
