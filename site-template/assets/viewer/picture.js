// Shows a picture on a canvas: that runs nothing of it, and needs no address for its bytes.

/** More pixels would take too much memory. */
const MAX_PIXELS = 40e6;

const JPEG = 'image/jpeg';
const TYPES = { __proto__: null, png: 'image/png', jpg: JPEG, jpeg: JPEG, gif: 'image/gif', webp: 'image/webp' };

/** The media type of a file that is shown as a picture. */
export function pictureType(name) {
  return TYPES[name.split('.').pop().toLowerCase()];
}

/** The element that shows a picture, and its size. */
export async function pictureView(bytes, name) {
  const [width, height] = dimensions(bytes);
  if (width * height > MAX_PIXELS) throw new Error('it is too large');
  const isKnown = width && height;
  const picture = isKnown && (await createImageBitmap(new Blob([bytes], { type: pictureType(name) })).catch(() => {}));
  if (!picture) throw new Error('it is damaged');
  const figure = document.createElement('figure');
  const canvas = figure.appendChild(document.createElement('canvas'));
  [canvas.width, canvas.height] = [picture.width, picture.height];
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', name);
  canvas.getContext('2d').drawImage(picture, 0, 0);
  picture.close();
  const caption = figure.appendChild(document.createElement('figcaption'));
  caption.textContent = `${canvas.width} × ${canvas.height} pixels`;
  return figure;
}

/**
 * Width and height by the head of the file, before the browser makes room for them. Browsers find the format by the
 * first bytes too, whatever the name says.
 */
function dimensions(bytes) {
  if (bytes.length < 30) return [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [head, form] = [view.getUint32(0), view.getUint32(8)];
  if (head === 0x89504e47) return [view.getUint32(16), view.getUint32(20)];
  if (head === 0x47494638) return [view.getUint16(6, true), view.getUint16(8, true)];
  if (head === 0x52494646 && form === 0x57454250) return ofWebp(view);
  return head >>> 8 === 0xffd8ff ? ofJpeg(view) : [];
}

function ofWebp(view) {
  switch (view.getUint32(12)) {
    case 0x56503858: // VP8X
      return [24, 27].map((at) => 1 + (view.getUint32(at, true) & 0xffffff));
    case 0x5650384c: { // VP8L
      const bits = view.getUint32(21, true);
      return [1 + (bits & 0x3fff), 1 + ((bits >> 14) & 0x3fff)];
    }
    default:
      return [26, 28].map((at) => view.getUint16(at, true) & 0x3fff);
  }
}

/** The frame header is one of several segments. Where another begins is known only if each is as it should be. */
function ofJpeg(view) {
  for (let at = 2; at + 9 < view.byteLength; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint16(at);
    const hasLength = marker >= 0xffc0 && marker !== 0xffff && (marker < 0xffd0 || marker > 0xffd9);
    if (!hasLength || view.getUint16(at + 2) < 2) return [];
    const isFrame = marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
  }
  return [];
}
