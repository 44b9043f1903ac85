// What a visit with an empty cache costs. `benches/first-visit` measures it with the corpus, also in seconds.

import assert from 'node:assert/strict';
import { test } from 'node:test';

/** Visits an address with an empty cache: bytes and requests of the network, layout shift, seconds to the largest paint. */
export async function firstVisit(browser, address, { viewport, network } = {}) {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    if (viewport) await page.setViewport(viewport);
    const client = await page.createCDPSession();
    await client.send('Network.enable');
    if (network) await client.send('Network.emulateNetworkConditions', network);
    const visit = { bytes: 0, requests: 0 };
    client.on('Network.loadingFinished', ({ encodedDataLength }) => {
      visit.bytes += encodedDataLength;
      visit.requests += 1;
    });
    await page.evaluateOnNewDocument(() => {
      globalThis.visit = { shift: 0, paint: 0 };
      const observe = (type, note) => new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
      observe('layout-shift', ({ value }) => (globalThis.visit.shift += value));
      observe('largest-contentful-paint', ({ startTime }) => (globalThis.visit.paint = startTime / 1000));
    });
    await page.goto(address, { waitUntil: 'networkidle0' });
    return { ...visit, ...(await page.evaluate(() => globalThis.visit)) };
  } finally {
    await context.close();
  }
}

/** The budget of pages that people see first, from a host that compresses. */
export function visiting(world) {
  test('a first visit takes at most 60 kilobytes and 8 requests, and nothing moves', async () => {
    for (const path of ['', 'global/weather-report/', 'team/tall/', 'team/viewed/1.1.0/', 'search/', 'search/?q=weather']) {
      const { bytes, requests, shift } = await firstVisit(world.browser, world.address + path);
      assert.ok(bytes <= 60_000 && requests <= 8, `/${path}: ${bytes} bytes, ${requests} requests`);
      assert.equal(shift, 0, path);
    }
  });
}
