export function YouSection() {
  return null;
}
