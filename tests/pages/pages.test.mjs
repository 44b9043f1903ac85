// The pages in a browser: from our server, and from a plain file server with the server stopped, also below a path.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { accessible } from './accessible.mjs';
import { administering } from './administering.mjs';
import { launch } from './browser.mjs';
import { browsing } from './browsing.mjs';
import { visiting } from './first-visit.mjs';
import { withstanding } from './hostile.mjs';
import { host, python, skillmirror } from './hosts.mjs';
import { loading, reading } from './reading.mjs';
import { ownLook, writeLook } from './own-look.mjs';
import { makeRegistry } from './registry.mjs';
import { finding, searching } from './searching.mjs';
import { teamwork } from './teamwork.mjs';
import { using } from './using.mjs';
import { viewing } from './viewing.mjs';
import { accessibleWork, away } from './work-pages.mjs';
import { working } from './working.mjs';

const folder = mkdtempSync(join(tmpdir(), 'skillmirror-pages-'));
const [data, tree] = ['data', 'public'].map((name) => join(folder, name));
const places = ['--data', data, '--public', tree];
const world = { places };

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
    before(async () => Object.assign(world, { isForeign: false }, await start()));
    after(() => world.stop?.());
    for (const suite of suites) suite(world);
  });
}

const all = [loading, reading, browsing, finding, searching, using, viewing];

at('the server', () => makeRegistry(folder, data, places), [
  ...all, visiting, accessible, working, teamwork, administering, withstanding, accessibleWork,
]);

at('a plain host', () => host(tree, '/'), [...all, away]);

at('the host that Python has', async () => ({ ...(await python(tree)), isForeign: true }), [loading, finding]);

at('a site with a look of its own', () => {
  const own = join(folder, 'own');
  skillmirror('generate', '--config', writeLook(folder), '--data', data, '--public', own);
  return host(own, '/');
}, [ownLook]);

at('a plain host, below a path', () => {
  skillmirror('generate', ...places, '--public-url', 'https://skills.example/mirror/of');
  return host(tree, '/mirror/of/');
}, [...all, away]);
