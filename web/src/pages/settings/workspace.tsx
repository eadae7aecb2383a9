export function WorkspaceSection() {
  return null;
}
