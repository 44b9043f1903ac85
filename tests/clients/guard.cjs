// Loaded before a client: no name but those of this machine resolves, and each attempt is noted. So
// no vendor's host hears of the tests, and a client that falls back to one is found.
const dns = require('node:dns');
const { appendFileSync } = require('node:fs');

const isHere = (name) => ['localhost', '127.0.0.1', '::1'].includes(name);

function refuse(name) {
  appendFileSync(process.env.NOTED_NAMES, `${name}\n`);
  return Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND', hostname: name });
}

const lookup = dns.lookup;
dns.lookup = (name, options, callback) => {
  if (isHere(name)) return lookup(name, options, callback);
  return process.nextTick(callback ?? options, refuse(name));
};
const lookupLater = dns.promises.lookup;
dns.promises.lookup = async (name, options) => {
  if (isHere(name)) return lookupLater(name, options);
  throw refuse(name);
};
