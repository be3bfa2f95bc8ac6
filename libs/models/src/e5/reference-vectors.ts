import type { EmbeddingKind } from '../embedder';

/** A text with the vector that the model gives it in full precision. */
export interface Reference {
  readonly kind: EmbeddingKind;
  readonly text: string;
  /** The vector as signed bytes, up to a factor, in base64. */
  readonly bytes: string;
}

/** Made with the 4-bit weights and single-precision inputs, by ONNX Runtime 1.30 on x86-64. */
export const REFERENCES: readonly Reference[] = [
  {
    kind: 'query',
    text: '¿Cuándo se paga la cuota de riego?',
    bytes:
      'PwbXtES9Gxc/FS0DGujaITbAFq/yDb9D8xDVBkOyubs4mF8jzeY+3rf8N0ksS6ZduODdSzYGRry/3uMwOfP+DDE1JxWj4PQ23wH0Fyy2F9nkttpY3VFPxjrTZjfsvAO88yA/t0TgMsXcEDiwYtvcGmA7u8kInf7HMs7Fvszo9O3jChYMMkFIIs39++j238YjQUxx4D3oANk2MgPMqs0jHenZ09PTzCYwqMjXEr8gH0W6Qx8e7urksdLF2yXp5iJj1fSyRLE0MAbq6T0pMRYBQNUQD9nhFxcAE0vWLR/iJqbsQ+670iK13MC5/cPwKAO12AojvkT09CHWDRayv7bzJf8UsEgWC39AIfLo69oS2BxNx8LHDS/F+WQhQSkv9PU9rcbjzlDZNAUuP+EBANPXD9QZAQxNJ1wfwfgYIQhF0a/MxAbQPCDjwVsGIcq1ZO3W4jb89zckAgX5oDQGvTUkiw4fvizV4D0gxQ42MGQyyvD9vi8lwR8A1dZN79QeZek+',
  },
  {
    kind: 'query',
    text: '2024/0153-B',
    bytes:
      'J+nr4y7tNyo8+x4OLO3q/yDxvKcjDLcoSlCwByvSssc/sG8l0McqF8sZMS0MOd846ee0WR0dMs7xuLMoV9zvTCdMAT7S/sMs2e36MDPqKebLzdoCx04t3S8kKTvUxs2+8hNk8S+zL7HaDhnSTrn6GQQHsr7gzhrjLuDJ0MDeLCISGSwWGkouLdDo/PDSFMo6IRB/21y9FPA/L0LPwcoAL7mpsNHD8EYo0cr0T7svEiHfJUsg3u24z+TXxhkWygkRwtHZP6Q2RCn13hgcNv/JB/0rHtfcT9nY+jPGGTADE6rOLh+31TXOBu6pyrH9IyGu4/EvpSff4Cb6DAKp4Mn0NilR7SEk+jpeGSHTydnr1i8s3uDaBVi410QiMT0h3fkUxvAB2EbWM/v3K74Nx9lERrQcGgAZGUEh3tsdNwYrqtre19LhQCTK/TYHD8LoMtS1AS/i5/xHyQsA2DXb0jkwrDcs1/jS+Uw+x/kb8iooDwQytiUy6Qvis6o8y+03RDkM',
  },
  {
    kind: 'passage',
    text: 'La cuota anual de la comunidad de regantes se paga antes del treinta de junio en la caja rural.',
    bytes:
      'KPPeq0rh/iMtDTENRcvIKjTE6sYQ+/VaOzLSB1yBxsAYtiYkwd8U5MUdKDUuPJ1AwOLKJ/sgHLXR2tE9Pi8hBTw+FiHC9r9R4gIBDDTDOPnOzeY31D9G2y3lSC7j1+ux0RBSzEzbGNHLLRK9dbfSHDIp1tMKp0jsScPXv9TaPgHy6xg2F0YqVeMeAuHd4cIkRypP1le2INwhOSK+ldLqO7vKoNvI3BA2tvTvNeoyBUq2NiwA/8vb4NTQ5S7w7wFQ3erfSMMlMUr6BWsr9AvgR/ASFeHiNgn6AUXa/CP8KqfrPQHdySDN8ajJ9+0KHRq94+sowD31+hrUHRin4b78EQUe0Dsa/1oqOvratsHY7iU+2q3EGzjk7Uv/SzpE/w86wMK18z64KRYeVMAi9rjlJt401w0ZMDcUrPBSNCg04MOxtQnNJ/rdwUnvKtexJuvszRj/yhdLCzsUuB/e0iITpQo32ijp2UE7sOwQAHoK3fDxzSAe0Oj8v8w24MUkahsz',
  },
  {
    kind: 'passage',
    text: 'The frozen valve of the pump station must be thawed with warm water, never with a flame.',
    bytes:
      'GPzdz1DY0Q8bKB8FO+DRJT0H27kt5wEaKSEWGFeu68RYy0j7utIzyvwzGlYyGdMU7t3HK+0jEtPG1LtMNN4C8Dx3MRjA76hD5Mf7D/rBEsLi1db70j01pFHpNwXDx9HL3EgswUzcKLsDTja9KtfZEzc/29kEJAHMJ93OupfkGQ/TAAkk9xIxf6oBBAjGUrdFRTR05z7yXMxWDh+/tOg1CNiLjPXN/hYshgPXIws2BwbTCmwxD/XnvtAG8S1CuwUWB7zCN78iJCD55w4dCefFJPIgUsDPNN8AGirYNCrxH8fIPwnLwg/Q4p3RzbzzD0G12NVgrRvy7wkBMiz2GwTrKxUw9SsMBU8ODguv/9rNoEcQz63b9kfW8g0xJh4HB/sxwt3swDPPSCoLTyQ/4bhBHKz1AhwLOiRR6N4OSNFN3636w/y9Hhrn1QsBO9XPHvkB+FfHpgQBxDXKyCm++QM5mwYl4jLEqDBC8BkZECJI+DcxwUYu4iAbv9E1u5QgRz1V',
  },
  {
    kind: 'passage',
    text: 'Artículo 12. El consejo de administración aprobará las cuentas del ejercicio dentro de los tres meses siguientes a su cierre. Las cuentas comprenderán el balance, la cuenta de pérdidas y ganancias y la memoria, que formarán una unidad. Si las cuentas no se aprobaran en ese plazo, la presidencia convocará una junta extraordinaria en los quince días siguientes, con un único punto en el orden del día. | Ejercicio | Ingresos | Gastos | Resultado | 2021 | 1.204.331,50 | 1.187.002,13 | 17.329,37 | 2022 | 1.310.870,00 | 1.322.415,88 | -11.545,88 |',
    bytes:
      'GAbzwkHDJjZW/TkjL+LFLienCbYKGvA6MlXq+V2m2sU1nh4hxN08saUZKjwNXL4u48XxYQ04NJSfyuMvXQDvVBgeDx+/38lR4/kWNB30D8vCztn3zXFstjYhPVLEuejCAS9P3E3BPojPJN7nXJLSPjYm+ub9nBO3ePz1rBTzE/7p6T0eIE5AP9csCfO3Es0aMjMz1lmzEKhBDQnBs+odMuCmtPLK4iFO1Ne8OOgE9VS7/1Ah6pvjzZ7WpCT1+doY2NmbHstSPVrz5FkgGfDdRvggI8reKgrTDDbRKy3mFKHFPvvW8PLvx8nUxN2/PUyUx9Ut00jB2jvPCyGeqbbsPxo600swH3UvIwL28rzj6hUyD4HxFlS87j7iKykXB9dV3MDzsUsCRx0IGccRHtrgC8cYCedAKUgErdc/SBpw16+GrSDvM3T5u14LSMLGRa7j6x776iA58jveyji+vDAooywswiDU5lwn3dgnJzcV7+wQuS08x/r0sMRSqLVIXCka',
  },
  {
    kind: 'passage',
    text: '灌溉会费应在六月底之前缴纳。',
    bytes:
      'Kf36tDEFzSxkDEHcON+/JFLbDa0s+tMvIhnKDCe/u8EtxEAoweMb2cgjOzsmObNAte3NLxkfBMnooLQlQjkkDU5bUCLjAtxP/+Ya90LTLsmjwd8Juy0+y0oNOEjowdG21y5Q90TY+q2sJSaYZMrgMTAovLH4sSe/I9rk863hQATA6PgUIiI3WssSDdv9Jd4JOSxkylHMI7dMIzW41rAgLNjCxs2exh07pBLUNOUF/0YB52M8/tbUu7fa8CAECvtcxuPbJM8wGDAf3j4rBtq5OtwwHM3THf8GAjzK9SnhD57zTxDLxSHi1sPFxMQPIiiVH8wJu2Pq9QzmASGz6MTiPTU6vDcNEX9PKf3Z+cPwxRZYvsLKFVfX6kobKi82+ucox+jiDi6zRBcdO5QQ0NQvB7IrDgQ6SFc1v9sPHhw439zO2e7dTA3lyVH0HNq0Ng7Hu0TW0hl0Ezj7vQv88SAYq+4m5xS4wEszmgQ4Hzwo9/wuticp1PXqwY4uztoLXwdK',
  },
];
