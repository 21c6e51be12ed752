export type RegisterForm = {
  readonly code: string
  readonly password: string
  readonly passwordAgain: string
  readonly isOfAge: boolean
  readonly hasAgreed: boolean
}
export type RegisterErrors = { readonly [Name in keyof RegisterForm]?: true }

export const emptyForm: RegisterForm = { code: '', password: '', passwordAgain: '', isOfAge: false, hasAgreed: false }

/** Errors of the form before it is sent. The exchange checks the same and more. */
export function errorsOf(form: RegisterForm): RegisterErrors {
  const length = [...form.password].length
  return {
    ...(/^\d{6}$/.test(form.code) ? {} : { code: true }),
    ...(length >= 8 && length <= 128 ? {} : { password: true }),
    ...(form.password === form.passwordAgain ? {} : { passwordAgain: true }),
    ...(form.isOfAge ? {} : { isOfAge: true }),
    ...(form.hasAgreed ? {} : { hasAgreed: true }),
  }
}
