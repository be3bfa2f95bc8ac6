// The environment of the suites (environment.cjs) ends what a suite left running: its event comes after all hooks.
