export function RevocationsPage() {
  return null
}
