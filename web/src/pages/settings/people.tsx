export function PeopleSection() {
  return null;
}
