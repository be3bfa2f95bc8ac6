#!/usr/bin/env node
// Prints the missing Debian packages that engines and the cluster need, one per line.
import { findGo, findHaproxy, findJava, findMaven, findOpenssl, findPip } from './find.mjs';

const NEEDED = [
  [findPip, ['python3', 'python3-pip']],
  [() => findJava(21, { compiler: true }), ['openjdk-21-jdk-headless']],
  [findMaven, ['maven']],
  [findGo, ['golang-go']],
  [findOpenssl, ['openssl']],
  [findHaproxy, ['haproxy']],
];

for (const [find, packages] of NEEDED)
  try {
    find();
  } catch {
    for (const name of packages) process.stdout.write(`${name}\n`);
  }
