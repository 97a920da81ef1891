/** Box is a rectangle of the window, in CSS pixels. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Corner is where the upper left corner of something goes, in CSS pixels. */
export interface Corner {
  left: number;
  top: number;
}

/** gap is what lies between a card and what it is about, in CSS pixels. */
const gap = 12;

const clamp = (value: number, low: number, high: number) => Math.max(low, Math.min(value, high));

/** covered is how much of a box a card covers, in square pixels. */
function covered({ left, top }: Corner, { width, height }: { width: number; height: number }, box: Box): number {
  const across = Math.min(left + width, box.right) - Math.max(left, box.left);
  const down = Math.min(top + height, box.bottom) - Math.max(top, box.top);
  return Math.max(0, across) * Math.max(0, down);
}

/**
 * placeNear places a card in a room next to what it is about: on its right or left, below or above, as one of them has space;
 * else at the foot or the head of the room, where it covers less of it.
 */
export function placeNear(about: Box | undefined, card: { width: number; height: number }, room: Box): Corner {
  const [right, bottom] = [room.right - card.width, room.bottom - card.height];
  const middle = clamp((room.left + right) / 2, room.left, room.right);
  const foot: Corner = { left: middle, top: Math.max(room.top, bottom) };
  const head: Corner = { left: middle, top: room.top };
  if (!about) return foot;
  const top = clamp(about.top, room.top, bottom);
  const left = clamp(about.left, room.left, right);
  const sides: Corner[] = [
    { left: about.right + gap, top }, { left: about.left - gap - card.width, top },
    { left, top: about.bottom + gap }, { left, top: about.top - gap - card.height },
  ];
  const fits = (at: Corner) => at.left >= room.left && at.left <= right && at.top >= room.top && at.top <= bottom && !covered(at, card, about);
  return sides.find(fits) ?? (covered(foot, card, about) <= covered(head, card, about) ? foot : head);
}
