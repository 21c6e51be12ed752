/** Every text that `t` may be given. A new area is a JSON file in each language and two lines here. */
import type about from './en/about.json'
import type agreement from './en/agreement.json'
import type auth from './en/auth.json'
import type common from './en/common.json'
import type fields from './en/fields.json'
import type home from './en/home.json'
import type me from './en/me.json'
import type refusals from './en/refusals.json'
import type setting from './en/setting.json'
import type shell from './en/shell.json'

export type Areas = {
  readonly about: typeof about
  readonly agreement: typeof agreement
  readonly auth: typeof auth
  readonly common: typeof common
  readonly fields: typeof fields
  readonly home: typeof home
  readonly me: typeof me
  readonly refusals: typeof refusals
  readonly setting: typeof setting
  readonly shell: typeof shell
}
