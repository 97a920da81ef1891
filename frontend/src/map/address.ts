import { type Marks, formatMarks, parseMarks } from "../state/progress";

/** A map's address: #/map of newt's twelve, #/map/ID of another course; with marks behind it, of somebody's progress. */
const address = /^#\/map(?:\/([a-z][a-z0-9]*))?(?:\/(.*))?$/;

/** ShownMap is a map: of one's own progress in a course, or of that which a link has. */
export interface ShownMap {
  course: string;
  theirs?: Marks;
}

/** mapOf is the address of the map of a course, which opens over the page that is shown: of one's own progress, or of somebody's. */
export function mapOf(course: string, theirs?: Marks): string {
  return ["#/map", ...(course === "newt" ? [] : [course]), ...(theirs ? [formatMarks(theirs)] : [])].join("/");
}

/** parseMap reads what mapOf writes; undefined where an address is none of a map. */
export function parseMap(hash: string): ShownMap | undefined {
  const [found, course = "newt", marks = ""] = address.exec(hash) ?? [];
  const theirs = parseMarks(marks);
  return found === undefined ? undefined : { course, ...(Object.keys(theirs).length > 0 && { theirs }) };
}
