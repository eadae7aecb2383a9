export function KeysSection() {
  return null;
}
