// Measures first visits; `benches/first-visit` says more.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from '../tests/pages/browser.mjs';
import { firstVisit } from '../tests/pages/first-visit.mjs';
import { serve, skillmirror } from '../tests/pages/hosts.mjs';

/** Bytes a second of 1.6 Mbit/s, and milliseconds until an answer begins. */
const SLOW = { offline: false, downloadThroughput: 200_000, uploadThroughput: 94_000, latency: 150 };
const WINDOWS = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } };
const ROUNDS = 5;

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** Prints a table of the visits. */
async function measure(address) {
  const skill = 'anthropics/skill-creator';
  const { version } = await (await fetch(`${address}api/v1/skills/${skill}`)).json();
  const browser = await launch();
  try {
    console.log(`| page | window | bytes | requests | layout shift | largest paint, median of ${ROUNDS} |\n|---|---|---|---|---|---|`);
    for (const path of ['', `${skill}/`, `${skill}/${version}/`, 'search/', 'search/?q=pdf', 'search/?q=convert+pdf+files']) {
      for (const [name, viewport] of Object.entries(WINDOWS)) {
        const visits = [];
        for (let i = 0; i < ROUNDS; i++) visits.push(await firstVisit(browser, address + path, { viewport, network: SLOW }));
        const of = (key) => median(visits.map((visit) => visit[key]));
        console.log(`| /${path} | ${name} | ${of('bytes')} | ${of('requests')} | ${of('shift').toFixed(3)} | ${of('paint').toFixed(2)} s |`);
      }
    }
  } finally {
    await browser.close();
  }
}

const [given] = process.argv.slice(2);
if (given) {
  await measure(given.replace(/\/*$/, '/'));
} else {
  const folder = mkdtempSync(join(tmpdir(), 'skillmirror-visits-'));
  const places = ['--data', join(folder, 'data'), '--public', join(folder, 'public')];
  skillmirror('import', process.env.SKILLMIRROR_CORPUS, '--tolerant', '--init', ...places);
  const server = await serve(...places);
  await measure(server.address).finally(server.stop);
  rmSync(folder, { recursive: true });
}
