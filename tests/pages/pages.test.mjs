// The pages, in a browser: from our server, and with that stopped from a plain host, also below a path.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { accessible } from './accessible.mjs';
import { launch } from './browser.mjs';
import { host, skillmirror } from './hosts.mjs';
import { reading } from './reading.mjs';
import { makeRegistry } from './registry.mjs';
import { using } from './using.mjs';

const folder = mkdtempSync(join(tmpdir(), 'skillmirror-pages-'));
const [data, tree] = ['data', 'public'].map((name) => join(folder, name));
const places = ['--data', data, '--public', tree];
const world = {};

before(async () => {
  world.browser = await launch();
});

after(async () => {
  await world.browser?.close();
  rmSync(folder, { recursive: true });
});

/** The tests of `suites` against a host that `start` starts. */
function at(name, start, suites) {
  describe(name, () => {
    before(async () => Object.assign(world, await start()));
    after(() => world.stop?.());
    for (const suite of suites) suite(world);
  });
}

at('the server', () => makeRegistry(folder, data, places), [reading, using, accessible]);

at('a plain host', () => host(tree, '/'), [reading, using]);

at('a plain host, below a path', () => {
  skillmirror('generate', ...places, '--public-url', 'https://skills.example/mirror/of');
  return host(tree, '/mirror/of/');
}, [reading, using]);
