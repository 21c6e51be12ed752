import type { Texts } from '../text.ts'

/** The language stored as `ca` is Spanish. */
export const ca: Texts = {
  locale: 'es-ES',
  footer: 'Candor nunca le pide un código ni una contraseña, ni por correo, ni por teléfono, ni por chat.',
  inbox: {
    title: 'Bandeja de entrada del entorno de pruebas',
    note: 'Los correos y los SMS de este entorno de pruebas llegan aquí y a ningún otro sitio. Los más recientes primero.',
    filter: 'Correo electrónico o número de teléfono',
    show: 'Mostrar',
    refresh: 'Actualizar',
    empty: 'Todavía no ha llegado nada. Solicite un código en la aplicación y luego actualice.',
    recipient: 'Para {to}',
  },
  templates: {
    'register-code': {
      subject: '{code} es su código de Candor',
      body: [
        'Le damos la bienvenida. Introduzca este código para completar el registro:',
        '{code}',
        'Es válido durante {minutes} minutos. Si no lo ha solicitado, ignore este mensaje: sin el código no ocurre nada.',
      ],
      sms: '{code} es su código de Candor para registrarse. Válido {minutes} minutos. No se lo dé a nadie.',
    },
    'reset-code': {
      subject: '{code} es su código para restablecer la contraseña',
      body: [
        'Introduzca este código para establecer una contraseña nueva:',
        '{code}',
        'Es válido durante {minutes} minutos. Si no lo ha solicitado, alguien escribió su dirección: su contraseña sigue igual.',
      ],
      sms: '{code} es su código de Candor para restablecer la contraseña. Válido {minutes} minutos. No se lo dé a nadie.',
    },
    'new-device': {
      subject: 'Nuevo inicio de sesión en su cuenta',
      body: [
        'Alguien ha iniciado sesión en su cuenta desde un dispositivo que no conocíamos.',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Si ha sido usted, no tiene que hacer nada. Si no, restablezca ahora su contraseña: así se cierran todas las sesiones.',
      ],
      sms: 'Candor: nuevo inicio de sesión con {device}, {ip}, {time}. ¿No ha sido usted? Restablezca ahora su contraseña.',
    },
    'password-changed': {
      subject: 'Su contraseña ha cambiado',
      body: [
        'Se ha cambiado la contraseña de su cuenta y se han cerrado las demás sesiones.',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Si no ha sido usted, restablezca ahora su contraseña y escriba a soporte.',
      ],
      sms: 'Candor: su contraseña ha cambiado, {time}. ¿No ha sido usted? Restablézcala ahora y escriba a soporte.',
    },
    'account-exists': {
      subject: 'Ya tiene una cuenta',
      body: [
        'Alguien, probablemente usted, ha querido registrarse con esta dirección. Ya existe una cuenta con ella, así que no se abre otra.',
        'Inicie sesión como siempre. Si ha olvidado la contraseña, elija «He olvidado la contraseña» en la página de inicio de sesión.',
      ],
      sms: 'Candor: este número ya tiene una cuenta. Inicie sesión o elija «He olvidado la contraseña».',
    },
  },
}
