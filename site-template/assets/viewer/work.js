// Asks the worker. A hostile text must not keep it busy.

/** Milliseconds after which a text stays without colors, or two texts without their difference. */
const MAX_WORK = 3000;

/** Returns a function that asks the worker whose script is at `address`. It is started for the first question. */
export function workerAt(address) {
  let worker;
  let lastId = 0;
  const start = async () => {
    const started = new Worker(address, { type: 'module' });
    await new Promise((resolve, reject) => {
      started.onmessage = resolve;
      started.onerror = () => reject(new Error('a script of this site cannot be loaded'));
    });
    return started;
  };
  return async (question) => {
    const starting = (worker ??= start());
    const id = lastId++;
    const listening = new AbortController();
    const { signal } = listening;
    let timer;
    try {
      const own = await starting;
      return await new Promise((resolve, reject) => {
        const fail = () => {
          own.terminate();
          reject(new Error('it takes too long'));
        };
        timer = setTimeout(fail, MAX_WORK);
        own.addEventListener('message', ({ data }) => data.id === id && resolve(data.result), { signal });
        own.postMessage({ id, ...question });
      });
    } catch (error) {
      if (worker === starting) worker = undefined;
      throw error;
    } finally {
      clearTimeout(timer);
      listening.abort();
    }
  };
}
