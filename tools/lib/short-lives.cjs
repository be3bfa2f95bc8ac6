const { setFlagsFromString } = require('node:v8');

// Tests start some four hundred processes, half of them databases, each for seconds. To compile what one of them has run
// a few times, so that it runs faster from then on, took a quarter of the CPU of a suite that was measured and hardly
// ever pays off. What runs for long is compiled so in tests, too.
setFlagsFromString('--wasm-tiering-budget=1000000000');
setFlagsFromString('--interrupt-budget=2000000');
