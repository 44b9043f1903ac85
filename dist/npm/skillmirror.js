#!/usr/bin/env node
// Runs the program of the package for this system, with the same arguments and the same exit code.
'use strict';

const { spawn } = require('node:child_process');
const { constants } = require('node:os');

const system = `${process.platform}-${process.arch}`;
const program = process.platform === 'win32' ? 'skillmirror.exe' : 'skillmirror';

let path;
try {
  path = require.resolve(`skillmirror-${system}/${program}`);
} catch {
  console.error(
    `skillmirror: the package skillmirror-${system} is not installed: install without --omit=optional. ` +
      'If there is no such package, build the program from its source.',
  );
  process.exit(1);
}

const child = spawn(path, process.argv.slice(2), { stdio: 'inherit' });
child.on('error', (error) => {
  console.error(`skillmirror: ${path} cannot be started: ${error.message}`);
  process.exit(1);
});
child.on('exit', (status, signal) => process.exit(signal ? 128 + constants.signals[signal] : status));
// Ctrl-C on a terminal reaches both processes; these signals reach this one alone.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
