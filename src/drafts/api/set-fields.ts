/** Which members of a form were set, for the audit log; never their values. */
export function setFields(form: object): readonly string[] {
  return Object.entries(form).flatMap(([name, value]) => (value === undefined ? [] : name));
}
