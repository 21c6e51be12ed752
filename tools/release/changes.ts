/** What a version is called, and what changed in it. */
export type Changes = { readonly name: string; readonly text: string }

/**
 * The section of a version in the changelog. A version without one is a preview: it is named after its commit, and has what is not
 * released yet.
 */
export function changesOf(changelog: string, version: string, commit: string): Changes {
  const released = sectionOf(changelog, version)
  if (released !== undefined) return { name: version, text: `# Candor ${version}\n\n${released}\n` }
  const name = `${version}-preview.${commit.slice(0, 12)}`
  return { name, text: `# Candor ${name}\n\n${sectionOf(changelog, 'Unreleased') ?? 'No changes are listed.'}\n` }
}

function sectionOf(changelog: string, heading: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1)
  const found = sections.find((section) => section.split('\n', 1)[0]!.split(' ', 1)[0] === heading)
  return found?.slice(found.indexOf('\n')).trim()
}
