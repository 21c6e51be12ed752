import type { Texts } from '../text.ts'

/** The language stored as `ca` is Spanish. */
export const ca: Texts = {
  locale: 'es-ES',
  footer: 'Candor nunca te pide un código ni una contraseña, ni por correo, ni por teléfono, ni por chat.',
  phrase: 'Tu frase: {phrase}',
  closesWithdrawals: 'Para protegerte, durante 24 horas no sale ningún retiro de tu cuenta.',
  freeze: {
    mail: '¿No has sido tú? Este enlace, válido durante 72 horas, bloquea tu cuenta al instante. No ocurre nada hasta que lo confirmes en la página:\n{link}',
    sms: 'Bloquear la cuenta: {link}',
  },
  withdrawalReasons: {
    'not-asked': 'Parece que lo ha solicitado otra persona.',
    address: 'No es seguro enviar a esta dirección.',
    identity: 'Tenemos preguntas sobre tu identidad.',
    deposit: 'Se está revisando un depósito del que procede.',
    unclear: 'Su finalidad no nos queda clara.',
    'on-wish': 'Nos pediste que lo detuviéramos.',
  },
  inbox: {
    title: 'Bandeja de entrada del modo de práctica',
    note: 'Los correos y los SMS del modo de práctica llegan aquí y a ningún otro sitio. Los más recientes primero.',
    filter: 'Correo electrónico o número de teléfono',
    show: 'Mostrar',
    refresh: 'Actualizar',
    empty: 'Todavía no ha llegado nada. Pide un código en la aplicación y luego actualiza.',
    recipient: 'Para {to}',
  },
  templates: {
    'register-code': {
      subject: '{code} es tu código de Candor',
      body: [
        'Te damos la bienvenida. Escribe este código para completar el registro:',
        '{code}',
        'Es válido durante {minutes} minutos. Si no lo has pedido, ignora este mensaje: sin el código no ocurre nada.',
      ],
      sms: '{code} es tu código de Candor para registrarte. Válido {minutes} minutos. No se lo des a nadie.',
    },
    'reset-code': {
      subject: '{code} es tu código para restablecer la contraseña',
      body: [
        'Escribe este código para establecer una contraseña nueva:',
        '{code}',
        'Es válido durante {minutes} minutos. Si no lo has pedido, alguien escribió tu dirección: tu contraseña sigue igual.',
        'O abre este enlace: durante 15 minutos permite establecer una contraseña nueva sin el código.',
        '{link}',
      ],
      sms: '{code} es tu código de Candor para restablecer la contraseña. Válido {minutes} minutos. No se lo des a nadie.',
    },
    'reset-link': {
      subject: 'Tu enlace para restablecer la contraseña',
      body: [
        'Abre este enlace antes de {minutes} minutos para establecer una contraseña nueva:',
        '{link}',
        'Ahora mismo no se aceptan códigos, porque se han pedido o probado demasiados.',
        'Si no lo has pedido, alguien escribió tu dirección: tu contraseña sigue igual. No le des el enlace a nadie.',
      ],
      sms: 'Candor: restablece tu contraseña en {link}, válido {minutes} minutos. No se lo des a nadie.',
    },
    'new-device': {
      subject: 'Nuevo inicio de sesión en tu cuenta',
      body: [
        'Alguien ha iniciado sesión en tu cuenta desde un dispositivo que no conocíamos.',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Si has sido tú, no tienes que hacer nada. Si no, restablece ahora tu contraseña: así se cierran todas las sesiones.',
      ],
      sms: 'Candor: nuevo inicio de sesión con {device}, {ip}, {time}. ¿No has sido tú? Restablece ahora tu contraseña.',
    },
    'password-changed': {
      subject: 'Tu contraseña ha cambiado',
      body: [
        'Se ha cambiado la contraseña de tu cuenta y se han cerrado las demás sesiones.',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Si no has sido tú, restablece ahora tu contraseña y escribe a soporte.',
      ],
      sms: 'Candor: tu contraseña ha cambiado, {time}. ¿No has sido tú? Restablécela ahora y escribe a soporte.',
    },
    'key-widened': {
      subject: 'Una clave API puede actuar por tu cuenta',
      body: [
        'Se ha creado una clave API para tu cuenta, o una ha recibido más permisos.',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Si no has sido tú, elimina la clave en la aplicación y cambia ahora tu contraseña.',
      ],
      sms: 'Candor: una clave API puede actuar por ti, {time}. ¿No has sido tú? Elimínala y cambia tu contraseña.',
    },
    'proof-code': {
      subject: '{code} es tu código de confirmación',
      body: [
        'Escribe este código para confirmar que eres tú:',
        '{code}',
        'Es válido durante {minutes} minutos. Si no lo has pedido, alguien ha entrado en tu cuenta: restablece ahora tu contraseña.',
      ],
      sms: '{code} es tu código de confirmación de Candor. Válido {minutes} minutos. No se lo des a nadie.',
    },
    'factor-added': {
      subject: 'Se ha añadido un segundo factor',
      body: [
        'Se ha añadido a tu cuenta una llave de acceso o una aplicación de autenticación.',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Si no has sido tú, restablece ahora tu contraseña y escribe al servicio de ayuda.',
      ],
      sms: 'Candor: segundo factor añadido, {time}. ¿No has sido tú? Restablece tu contraseña y escribe al servicio de ayuda.',
    },
    'factor-removed': {
      subject: 'Se ha eliminado un segundo factor',
      body: [
        'Se ha eliminado de tu cuenta una llave de acceso o la aplicación de autenticación.',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Si no has sido tú, restablece ahora tu contraseña y escribe al servicio de ayuda.',
      ],
      sms: 'Candor: segundo factor eliminado, {time}. ¿No has sido tú? Restablece tu contraseña y escribe al servicio de ayuda.',
    },
    'factor-failed': {
      subject: 'Un inicio de sesión se detuvo en el segundo factor',
      body: [
        'Alguien ha escrito tu contraseña y después un código incorrecto.',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Si no has sido tú, alguien conoce tu contraseña: cámbiala ahora.',
      ],
      sms: 'Candor: contraseña correcta, segundo factor incorrecto, {time}. ¿No has sido tú? Cambia tu contraseña.',
    },
    'recovery-renewed': {
      subject: 'Se han renovado tus códigos de recuperación',
      body: [
        'Se han sustituido los códigos de recuperación de tu cuenta. Los anteriores ya no funcionan.',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Si no has sido tú, restablece ahora tu contraseña y escribe a soporte.',
      ],
      sms: 'Candor: códigos de recuperación renovados, {time}. ¿No has sido tú? Restablece tu contraseña y escribe a soporte.',
    },
    'address-code': {
      subject: '{code} es tu código para añadir esta dirección',
      body: [
        'Escribe este código para añadir esta dirección a tu cuenta:',
        '{code}',
        'Es válido durante {minutes} minutos. Si no lo has pedido, ignora este mensaje: sin el código no ocurre nada.',
      ],
      sms: '{code} es tu código de Candor para añadir este número. Válido {minutes} minutos. No se lo des a nadie.',
    },
    'address-taken': {
      subject: 'Alguien ha intentado añadir tu dirección a una cuenta',
      body: [
        'Alguien ha intentado añadir esta dirección a otra cuenta. Pertenece a la tuya, así que no se ha cambiado nada ni se ha enviado ningún código.',
        'Si has sido tú: una dirección solo puede pertenecer a una cuenta. Elimínala antes de esta.',
      ],
      sms: 'Candor: alguien ha intentado añadir este número a otra cuenta. Sigue en la tuya; no se ha cambiado nada.',
    },
    'address-set': {
      subject: 'Han cambiado las direcciones de tu cuenta',
      body: [
        '{address} pertenece ahora a tu cuenta: sirve para iniciar sesión y recibe los mensajes de seguridad. La dirección anterior del mismo tipo ya no sirve.',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Si no has sido tú, restablece ahora tu contraseña y escribe a soporte.',
      ],
      sms: 'Candor: {address} pertenece ahora a tu cuenta, {time}. ¿No has sido tú? Escribe ahora a soporte.',
    },
    'address-removed': {
      subject: 'Se ha eliminado una dirección de tu cuenta',
      body: [
        '{address} ya no pertenece a tu cuenta: no sirve para iniciar sesión ni recibe más mensajes.',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Si no has sido tú, restablece ahora tu contraseña y escribe a soporte.',
      ],
      sms: 'Candor: {address} ya no pertenece a tu cuenta, {time}. ¿No has sido tú? Escribe ahora a soporte.',
    },
    'payment-set': {
      subject: 'Se ha definido tu contraseña de pago',
      body: [
        'Se ha definido o cambiado la contraseña de pago de tu cuenta.',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Si no has sido tú, restablece ahora tu contraseña y escribe a soporte.',
      ],
      sms: 'Candor: contraseña de pago definida, {time}. ¿No has sido tú? Restablece tu contraseña y escribe a soporte.',
    },
    'deletion-asked': {
      subject: 'Tu cuenta se eliminará el {date}',
      body: [
        'Pediste eliminar tu cuenta. El {date} se borrará y no podrá recuperarse.',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        '¿Has cambiado de idea o no fuiste tú? Inicia sesión antes de ese día: así se cancela la eliminación.',
      ],
      sms: 'Candor: tu cuenta se eliminará el {date}. Inicia sesión antes para cancelarlo.',
    },
    'account-frozen': {
      subject: 'Tu cuenta está bloqueada',
      body: [
        'Tu cuenta se ha bloqueado: se han cerrado todas las sesiones, nadie puede entrar, las claves de API se rechazan y las órdenes abiertas se cancelan. Las posiciones abiertas siguen las reglas del mercado.',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Para volver a usarla, escribe a soporte. Dos personas de nuestro equipo comprueban que eres tú.',
      ],
      sms: 'Candor: tu cuenta está bloqueada, {time}. Nadie puede entrar. Para volver a usarla, escribe a soporte.',
    },
    'frozen-note': {
      subject: 'No se puede restablecer la contraseña: la cuenta está bloqueada',
      body: [
        'Alguien, probablemente tú, ha pedido restablecer la contraseña de tu cuenta. La cuenta está bloqueada, así que no se ha cambiado nada.',
        'Para volver a usarla, escribe a soporte. Dos personas de nuestro equipo comprueban que eres tú.',
      ],
      sms: 'Candor: tu cuenta está bloqueada y su contraseña no se puede restablecer. Escribe a soporte.',
    },
    'account-unfrozen': {
      subject: 'Tu cuenta vuelve a estar abierta',
      body: [
        'Tu cuenta ya no está bloqueada. Puedes entrar como antes y tus claves de API vuelven a funcionar.',
        'Revisa tus claves, tus direcciones y el historial de accesos. Si no lo has pedido, bloquea de nuevo la cuenta y escribe a soporte.',
      ],
      sms: 'Candor: tu cuenta ya no está bloqueada y puedes volver a entrar. ¿No has sido tú? Escribe a soporte.',
    },
    'regain-code': {
      subject: '{code} es tu código para recuperar el acceso',
      body: [
        'Alguien ha escrito tu contraseña y ha pedido acceso sin tu segundo factor. Escribe este código para continuar:',
        '{code}',
        'Es válido durante {minutes} minutos.',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Si no has sido tú, alguien conoce tu contraseña: cámbiala ahora y no des el código a nadie.',
      ],
      sms: '{code} es tu código de Candor para entrar sin el segundo factor. ¿No has sido tú? Cambia ahora tu contraseña. No se lo des a nadie.',
    },
    'regain-begun': {
      subject: 'Alguien pide acceso sin tu segundo factor',
      body: [
        'Alguien que conoce tu contraseña y lee este buzón o este teléfono ha pedido acceso a tu cuenta sin tu segundo factor.',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Lo tendrá como pronto el {until}, a menos que lo impidas. Si has sido tú, no tienes que hacer nada.',
        'Si no has sido tú, entra con tu segundo factor: eso detiene la solicitud. O bloquea tu cuenta.',
      ],
      sms: 'Candor: alguien pide acceso sin tu segundo factor, como pronto el {until}. ¿No has sido tú? Entra con el segundo factor o bloquea la cuenta.',
    },
    'regain-link': {
      subject: 'Tu enlace para recuperar el acceso',
      body: [
        'La espera ha terminado. Abre este enlace en un plazo de {hours} horas y elige una contraseña nueva; tus segundos factores perdidos se eliminarán:',
        '{link}',
        'El enlace funciona una vez. No se lo des a nadie. Después se cierran todas las sesiones y durante 24 horas ningún retiro sale de tu cuenta.',
      ],
      sms: 'Candor: abre {link} en {hours} horas para recuperar el acceso. No se lo pases a nadie.',
    },
    'regain-rejected': {
      subject: 'Tu solicitud de acceso se ha rechazado',
      body: [
        'El documento enviado no coincide con el que verificó tu cuenta, así que tus segundos factores siguen como estaban.',
        'Entra y pídelo de nuevo con fotos del mismo documento, o escribe a soporte.',
      ],
      sms: 'Candor: tu solicitud de acceso se ha rechazado, el documento no coincide. Pídelo con el documento verificado o escribe a soporte.',
    },
    regained: {
      subject: 'Tus segundos factores se han eliminado',
      body: [
        'Tu cuenta se ha abierto de nuevo con una contraseña nueva, sin sus segundos factores. Todas las sesiones se han cerrado.',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Entra y añade ahora una llave de acceso o una aplicación de autenticación. Si no has sido tú, escribe a soporte.',
      ],
      sms: 'Candor: contraseña nueva y segundos factores eliminados, {time}. Añade uno ahora. ¿No has sido tú? Escribe a soporte.',
    },
    'allow-list-on': {
      subject: 'Tu bloqueo de direcciones está activado',
      body: [
        'Nadie puede añadir ahora una dirección de retiro a tu cuenta. Los retiros van solo a las que están en su lista.',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
      ],
      sms: 'Candor: tu bloqueo de direcciones está activado, {time}.',
    },
    'allow-list-ending': {
      subject: 'Tu bloqueo de direcciones se va a desactivar',
      body: [
        'Alguien ha pedido desactivar tu bloqueo de direcciones. Vale hasta el {until}; después se podrán añadir de nuevo direcciones de retiro, y cada una espera 24 horas.',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Si no has sido tú, mantén el bloqueo en el centro de seguridad y cambia ahora tu contraseña.',
      ],
      sms: 'Candor: tu bloqueo de direcciones termina el {until}. ¿No has sido tú? Mantenlo en el centro de seguridad y cambia tu contraseña.',
    },
    'withdrawal-address-added': {
      subject: 'Se ha añadido una dirección de retiro',
      body: [
        'Los retiros de tu cuenta podrán ir a esta dirección {network} desde el {until}:',
        '{destination}',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Si no has sido tú, alguien ha entrado en tu cuenta: congélala ahora.',
      ],
      sms: 'Candor: añadida la dirección de retiro {network} {destination}, se puede usar desde el {until}.',
    },
    'withdrawal-address-removed': {
      subject: 'Se ha eliminado una dirección de retiro',
      body: [
        'Ningún retiro de tu cuenta irá más a esta dirección {network}:',
        '{destination}',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Si no has sido tú, cambia ahora tu contraseña.',
      ],
      sms: 'Candor: eliminada la dirección de retiro {network} {destination}, {time}. ¿No has sido tú? Cambia tu contraseña.',
    },
    'withdrawal-requested': {
      subject: 'Se ha solicitado un retiro',
      body: [
        'Se ha solicitado un retiro de {quantity} {asset} de tu cuenta. A esta dirección {network} llegarán {received} {asset}:',
        '{destination}',
        'Hora: {time}',
        'Si no has sido tú, congela tu cuenta ahora. Mientras el retiro esté en revisión, eso lo detiene.',
      ],
      sms: 'Candor: retiro de {quantity} {asset} a {network} {destination} solicitado. ¿No has sido tú? Congela tu cuenta ahora.',
    },
    'withdrawal-approved': {
      subject: 'Tu retiro ha sido aprobado',
      body: ['Tu retiro de {quantity} {asset} ha sido aprobado y se enviará a esta dirección {network}:', '{destination}', 'Hora: {time}'],
      sms: 'Candor: tu retiro de {quantity} {asset} ha sido aprobado, {time}.',
    },
    'withdrawal-rejected': {
      subject: 'Tu retiro ha sido rechazado',
      body: [
        'Tu retiro de {quantity} {asset} ha sido rechazado. El importe vuelve a estar disponible.',
        'Motivo: {reason}',
        'Hora: {time}',
        'Si tienes preguntas, escribe a soporte.',
      ],
      sms: 'Candor: tu retiro de {quantity} {asset} ha sido rechazado, {time}. La app muestra el motivo.',
    },
    'withdrawal-paid': {
      subject: 'Tu retiro se ha pagado',
      body: ['{received} {asset} han llegado a esta dirección {network}:', '{destination}', 'Transacción:\n{txid}', 'Hora: {time}'],
      sms: 'Candor: tu retiro de {quantity} {asset} se ha pagado, {time}. La app muestra la transacción.',
    },
    'withdrawal-failed': {
      subject: 'Tu retiro ha fallado',
      body: [
        'Tu retiro de {quantity} {asset} en la red {network} no se ha podido pagar. El importe vuelve a estar disponible.',
        'Hora: {time}',
        'No ha salido nada de tu cuenta. Puedes solicitar el retiro de nuevo.',
      ],
      sms: 'Candor: tu retiro de {quantity} {asset} ha fallado, {time}. El importe vuelve a estar disponible.',
    },
    'deposit-credited': {
      subject: 'Se ha abonado un depósito',
      body: [
        'Se han abonado {quantity} {asset} de {network} en tu cuenta Spot.',
        'Hora: {time}',
        'Ya puedes operar con ellos. La app muestra desde cuándo se pueden retirar.',
      ],
      sms: 'Candor: se han abonado {quantity} {asset} de {network}, {time}.',
    },
    'deposit-repaid': {
      subject: 'Un depósito ha devuelto lo que debías',
      body: [
        'Han llegado {quantity} {asset} de {network}. De ellos, {repaid} {asset} han devuelto lo que debías por un depósito que su red descartó. Aún debes {debt} {asset}.',
        'Hora: {time}',
      ],
      sms: 'Candor: {repaid} {asset} de un depósito han devuelto lo que debías, {time}.',
    },
    'deposit-final': {
      subject: 'Un depósito ya se puede retirar',
      body: ['Tu depósito de {quantity} {asset} de {network} es definitivo. Ya se puede retirar.', 'Hora: {time}'],
      sms: 'Candor: tu depósito de {quantity} {asset} ya se puede retirar, {time}.',
    },
    'deposit-small': {
      subject: 'Un depósito está por debajo del mínimo',
      body: [
        'Han llegado {quantity} {asset} de {network}. Los depósitos en esta red se abonan cuando juntos alcanzan {min} {asset}. Aún faltan {missing} {asset}.',
        'Hora: {time}',
        'Lo que ha llegado sigue siendo tuyo y cuenta con tus próximos depósitos.',
      ],
      sms: 'Candor: un depósito de {quantity} {asset} está en espera; faltan {missing} {asset} para el mínimo.',
    },
    'deposit-dropped': {
      subject: 'Se ha anulado el abono de un depósito',
      body: [
        'La red {network} ha descartado el bloque de tu depósito de {quantity} {asset}, así que se ha descontado de tu cuenta Spot.',
        'Hora: {time}',
        'Si la red retoma el pago, se abona de nuevo.',
      ],
      sms: 'Candor: la red ha descartado tu depósito de {quantity} {asset} y se ha descontado de tu cuenta, {time}.',
    },
    'deposit-debt': {
      subject: 'Debes un depósito que su red descartó',
      body: [
        'La red {network} ha descartado el bloque de tu depósito de {quantity} {asset}. Tu cuenta Spot ya no lo tenía completo, así que debes {debt} {asset}.',
        'Hora: {time}',
        'Hasta que lo devuelvas no se acepta ningún retiro. Tus próximos depósitos de {asset} lo devuelven primero, o puedes devolverlo desde tu cuenta Spot en la app.',
      ],
      sms: 'Candor: la red ha descartado tu depósito de {quantity} {asset}. Debes {debt} {asset}; hasta que lo devuelvas no se acepta ningún retiro.',
    },
    'rest-begun': {
      subject: 'Ha empezado una pausa de tu cuenta',
      body: [
        'Hasta el {until}, tu cuenta no acepta nada que abra un riesgo: ni posiciones nuevas, ni préstamos, ni órdenes de Second, ni compras con USDT. Cerrar, vender por USDT y retirar sigue siendo posible.',
        'Nadie puede terminar antes una pausa, ni tú ni la plataforma. La página «Tus límites» de la aplicación muestra por qué empezó.',
      ],
      sms: 'Candor: ha empezado una pausa de tu cuenta, hasta el {until}.',
    },
    'papers-verified': {
      subject: 'Tu identidad está verificada',
      body: ['Tu identidad está verificada. Ahora puedes usar Futuros, Margen, Second y los préstamos.'],
      sms: 'Candor: tu identidad está verificada.',
    },
    'papers-rejected': {
      subject: 'Tu verificación de identidad necesita un cambio',
      body: [
        'Todavía no hemos podido verificar tu identidad. Abre «Verificación de identidad» en la app: dice qué falta y por qué.',
        'Solo tienes que volver a enviar las partes marcadas.',
      ],
      sms: 'Candor: tu verificación de identidad necesita un cambio. La app dice qué falta.',
    },
    'papers-revoked': {
      subject: 'Tu verificación de identidad se ha revocado',
      body: [
        'Tu identidad ya no está verificada. Futuros, Margen, Second y los préstamos están cerrados a nuevas órdenes; lo abierto se puede cerrar, y tus fondos siguen siendo tuyos.',
        'Abre «Verificación de identidad» en la app para verificarte de nuevo, o escribe a soporte.',
      ],
      sms: 'Candor: tu verificación de identidad se ha revocado. Abre la app para verificarte de nuevo.',
    },
    'login-failed': {
      subject: 'Inicios de sesión fallidos en tu cuenta',
      body: [
        'Alguien ha escrito varias veces una contraseña incorrecta de tu cuenta. Este fue el último intento:',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Si has sido tú, no tienes que hacer nada. Si no, añade un segundo factor en el centro de seguridad de la aplicación: así la contraseña sola no basta.',
      ],
      sms: 'Candor: varias contraseñas incorrectas en tu cuenta, la última desde {ip}, {time}. ¿No has sido tú? Añade un segundo factor.',
    },
    'recovery-used': {
      subject: 'Se ha usado un código de recuperación',
      body: [
        'Se ha usado un código de recuperación de tu cuenta en lugar del segundo factor.',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Si no has sido tú, restablece ahora tu contraseña y escribe al servicio de ayuda.',
      ],
      sms: 'Candor: código de recuperación usado, {time}. ¿No has sido tú? Restablece tu contraseña y escribe al servicio de ayuda.',
    },
    'key-used': {
      subject: 'Se ha usado una clave de API por primera vez',
      body: [
        'Se ha usado por primera vez la clave de API «{label}» de tu cuenta.',
        'Dirección IP: {ip}\nHora: {time}',
        'Si no has sido tú, elimina la clave en la aplicación y cambia ahora tu contraseña.',
      ],
      sms: 'Candor: primer uso de una clave de API, desde {ip}, {time}. ¿No has sido tú? Elimínala y cambia tu contraseña.',
    },
    'rest-ended': {
      subject: 'Tu pausa ha terminado',
      body: [
        'Tu pausa ha terminado. Tus límites siguen igual.',
        'Si quieres seguir en pausa, puedes empezar otra en la aplicación, en tu perfil.',
      ],
      sms: 'Candor: tu pausa ha terminado. Tus límites siguen igual.',
    },
    'support-answered': {
      subject: 'Soporte te ha respondido',
      body: [
        'Soporte ha respondido en tu consulta {ticket}.',
        'Hora: {time}',
        'Lee la respuesta en la app, en «Soporte». Nuestro equipo nunca pide tu contraseña, un código ni tu contraseña de pago.',
      ],
      sms: 'Candor: soporte ha respondido en tu consulta {ticket}. Lee la respuesta en la app.',
    },
    'firm-waiting': {
      subject: 'Una solicitud de tu empresa te espera',
      body: [
        'La solicitud {number} de {firm} necesita tu aprobación.',
        'Hora: {time}',
        'Mírala en la app, en «Cuentas de empresa», y apruébala solo si sabes para qué es.',
      ],
      sms: 'Candor: La solicitud {number} de {firm} necesita tu aprobación.',
    },
    'firm-decided': {
      subject: 'Se decidió una solicitud de tu empresa',
      body: ['Solicitud {number} de {firm}: mira el resultado.', 'Hora: {time}', 'Mira el resultado en la app, en «Cuentas de empresa».'],
      sms: 'Candor: Solicitud {number} de {firm}: mira el resultado.',
    },
    'firm-invited': {
      subject: 'Una empresa te invita',
      body: [
        '{firm} te invita a ser miembro.',
        'Hora: {time}',
        'Mira en la app, en «Cuentas de empresa», qué función te ofrece, y acepta solo si conoces la empresa.',
      ],
      sms: 'Candor: {firm} te invita a ser miembro.',
    },
    'firm-changed': {
      subject: 'Tu función en una empresa ha cambiado',
      body: [
        'Se han cambiado tu función o tus cuentas en {firm}.',
        'Hora: {time}',
        'Mira en la app, en «Cuentas de empresa», qué puedes hacer ahora. Puede que las claves de API que creaste para sus cuentas ya no sean válidas.',
      ],
      sms: 'Candor: Se han cambiado tu función o tus cuentas en {firm}.',
    },
    'firm-ended': {
      subject: 'Tu participación en una empresa ha terminado',
      body: [
        'Tu participación en {firm}, o tu invitación, ha terminado.',
        'Hora: {time}',
        'Ya no usas las cuentas de la empresa. Tu propia cuenta no cambia.',
      ],
      sms: 'Candor: Tu participación en {firm}, o tu invitación, ha terminado.',
    },
    'firm-answered': {
      subject: 'Se decidió tu solicitud de empresa',
      body: [
        'El exchange ha decidido sobre tu solicitud para {firm}.',
        'Hora: {time}',
        'Lee la decisión en la app, en «Cuentas de empresa».',
      ],
      sms: 'Candor: El exchange ha decidido sobre tu solicitud para {firm}.',
    },
    'funds-posted': {
      subject: 'Se ha ajustado tu saldo',
      body: [
        'Candor ha registrado un ajuste en tu cuenta. Dos personas del equipo lo han decidido e indicado el motivo.',
        'Hora: {time}',
        'La app muestra el importe en los registros de activos. Si no lo esperabas, escribe a soporte.',
      ],
      sms: 'Candor: se ha ajustado tu saldo, {time}. La app muestra el importe.',
    },
    'limit-raised': {
      subject: 'Uno de tus límites se ha subido o quitado',
      body: [
        'Confirmaste la subida o la eliminación de uno de tus límites tras el periodo de espera. Vale desde ahora.',
        'Puedes bajarlo de nuevo en cualquier momento, al instante. Si no has sido tú, bloquea tu cuenta ahora.',
      ],
      sms: 'Candor: uno de tus límites se ha subido o quitado. ¿No has sido tú? Bloquea tu cuenta ahora.',
    },
    'futures-warning': {
      subject: 'Una posición de Futuros está cerca de la liquidación',
      body: [
        'Una posición de tu cuenta de Futuros está cerca de la liquidación.',
        'Hora: {time}',
        'Abre la aplicación para añadir margen o reducir la posición. Si el precio de marca sigue moviéndose en contra, se cerrará.',
      ],
      sms: 'Candor: una posición de Futuros está cerca de la liquidación, {time}. Añade margen o redúcela en la aplicación.',
    },
    'futures-liquidated': {
      subject: 'Una posición de Futuros se está liquidando',
      body: [
        'El margen de una de tus posiciones de Futuros ya no la cubre: la posición se está cerrando, en parte o por completo.',
        'Hora: {time}',
        'La aplicación muestra cada paso, con los precios que lo decidieron.',
      ],
      sms: 'Candor: una posición de Futuros se está liquidando, {time}. La aplicación muestra cada paso.',
    },
    'futures-deleveraged': {
      subject: 'Una posición de Futuros se ha reducido automáticamente',
      body: [
        'La posición de Futuros de otro cliente no se pudo cerrar en el mercado. La tuya, del lado contrario, se ha cerrado al mismo precio, en parte o por completo: es el desapalancamiento automático.',
        'Hora: {time}',
        'La aplicación muestra el precio y lo que queda de la posición.',
      ],
      sms: 'Candor: una posición de Futuros se ha reducido automáticamente, {time}. Los detalles están en la aplicación.',
    },
    'margin-warning': {
      subject: 'Una cuenta de Margen está cerca de la liquidación',
      body: [
        'El nivel de una de tus cuentas de Margen es bajo.',
        'Hora: {time}',
        'Abre la aplicación para devolver o añadir activos. Si el nivel baja más, se venderán activos para devolver la deuda.',
      ],
      sms: 'Candor: una cuenta de Margen está cerca de la liquidación, {time}. Devuelve o añade activos en la aplicación.',
    },
    'margin-liquidated': {
      subject: 'Una cuenta de Margen se está liquidando',
      body: [
        'El nivel de una de tus cuentas de Margen ha caído por debajo del límite: se están vendiendo activos para devolver la deuda.',
        'Hora: {time}',
        'La aplicación muestra cada paso, con los precios que lo decidieron.',
      ],
      sms: 'Candor: una cuenta de Margen se está liquidando, {time}. La aplicación muestra cada paso.',
    },
    'price-alert': {
      subject: 'Se alcanzó una alerta de precio',
      body: [
        '{symbol} ha alcanzado tu alerta de precio: {reached}.',
        'Hora: {time}',
        'Las alertas se gestionan en la app. No son un consejo de inversión.',
      ],
      sms: 'Candor: {symbol} ha alcanzado tu alerta de precio: {reached}, {time}.',
    },
    'second-settled': {
      subject: 'Se ha liquidado una orden de Second',
      body: ['Se ha liquidado una de tus órdenes de Second.', 'Hora: {time}', 'La aplicación muestra el resultado y cómo comprobarlo.'],
      sms: 'Candor: se ha liquidado una orden de Second, {time}.',
    },
    'order-filled': {
      subject: 'Se ha ejecutado una orden',
      body: ['Se ha ejecutado por completo una de tus órdenes.', 'Hora: {time}', 'La aplicación muestra el precio y las comisiones.'],
      sms: 'Candor: se ha ejecutado una orden, {time}.',
    },
    'order-cut': {
      subject: 'Se ha ejecutado una orden en parte',
      body: [
        'Se ha ejecutado en parte una de tus órdenes y el resto se ha cancelado.',
        'Hora: {time}',
        'La aplicación muestra el precio y las comisiones.',
      ],
      sms: 'Candor: se ha ejecutado una orden en parte, {time}.',
    },
    'algo-ended': {
      subject: 'Ha terminado una orden TWAP o escalonada',
      body: [
        'Ha terminado una de tus órdenes TWAP o escalonadas.',
        'Hora: {time}',
        'La aplicación muestra lo que compró o vendió y el motivo.',
      ],
      sms: 'Candor: ha terminado una orden TWAP o escalonada, {time}.',
    },
    'order-ended': {
      subject: 'Una orden ha terminado sin ejecutarse',
      body: ['Una de tus órdenes ha terminado antes de ejecutarse.', 'Hora: {time}', 'La aplicación muestra el motivo.'],
      sms: 'Candor: una orden ha terminado sin ejecutarse, {time}.',
    },
    'coins-moved': {
      subject: 'Se ha hecho una transferencia entre cuentas',
      body: [
        'Se ha hecho una transferencia entre tus cuentas o entre cuentas de tu empresa.',
        'Hora: {time}',
        'La aplicación muestra la moneda y el importe.',
      ],
      sms: 'Candor: se ha hecho una transferencia entre cuentas, {time}.',
    },
    'loan-taken': {
      subject: 'Se ha tomado un préstamo',
      body: ['Se ha tomado un préstamo en una de tus cuentas de margen.', 'Hora: {time}', 'La aplicación muestra la moneda y el importe.'],
      sms: 'Candor: se ha tomado un préstamo, {time}.',
    },
    'loan-repaid': {
      subject: 'Se ha devuelto un préstamo',
      body: [
        'Se ha devuelto, en parte o por completo, un préstamo de una de tus cuentas de margen.',
        'Hora: {time}',
        'La aplicación muestra la moneda y el importe.',
      ],
      sms: 'Candor: se ha devuelto un préstamo, {time}.',
    },
    'signal-refused': {
      subject: 'Se ha rechazado una señal',
      body: [
        'Una alerta para una de tus claves de API no ha creado ninguna orden.',
        'Hora: {time}',
        'El registro de señales de la aplicación indica el motivo.',
      ],
      sms: 'Candor: se ha rechazado una señal, {time}.',
    },
    'staff-enrolment': {
      subject: 'Configura tu cuenta del personal',
      body: [
        'Abre este enlace para establecer una contraseña y una llave de acceso para tu cuenta del personal:',
        '{link}',
        'Funciona una sola vez, antes de 24 horas, y es solo para ti: no se lo des a nadie, tampoco a un compañero.',
        'Si no lo esperabas, no lo abras y avisa a tus administradores.',
      ],
      sms: 'Candor: configura tu cuenta del personal en {link}, una vez, antes de 24 horas.',
    },
    'staff-address': {
      subject: 'Se ha cambiado la dirección de tu cuenta del personal',
      body: [
        'A partir de ahora, los correos de tu cuenta del personal van a otra dirección.',
        'Hora: {time}',
        'Si no lo has pedido, avisa ahora a tus administradores.',
      ],
      sms: 'Candor: se ha cambiado la dirección de tu cuenta del personal, {time}. ¿No has sido tú? Avisa a los administradores.',
    },
    'staff-login': {
      subject: 'Se ha cambiado el inicio de sesión de tu cuenta del personal',
      body: [
        'Se ha cambiado una llave de acceso, la aplicación de autenticación o la contraseña de tu cuenta del personal.',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Si no has sido tú, avisa ahora a tus administradores: una nueva configuración cierra todas las sesiones.',
      ],
      sms: 'Candor: cambió el inicio de sesión de tu cuenta del personal, {time}. ¿No has sido tú? Avisa a los administradores.',
    },
    'webhook-created': {
      subject: 'Se ha añadido un webhook a tu cuenta',
      body: [
        'A partir de ahora, los eventos de tu cuenta se envían a esta URL:',
        '{url}',
        'Dispositivo: {device}\nDirección IP: {ip}\nHora: {time}',
        'Si no has sido tú, elimina el webhook en la aplicación y cambia ahora tu contraseña.',
      ],
      sms: 'Candor: se ha añadido un webhook a tu cuenta, {time}. ¿No has sido tú? Elimínalo y cambia tu contraseña.',
    },
    'webhook-off': {
      subject: 'Se ha desactivado un webhook',
      body: [
        'Los envíos a uno de tus webhooks fallan desde {time}, por lo que se ha desactivado:',
        '{url}',
        'Cuando tu servidor vuelva a funcionar, activa el webhook en la aplicación y envía de nuevo los eventos perdidos. Tus órdenes y saldos no se ven afectados.',
      ],
      sms: 'Candor: se ha desactivado uno de tus webhooks: los envíos fallan desde {time}.',
    },
    'account-exists': {
      subject: 'Ya tienes una cuenta',
      body: [
        'Alguien, probablemente tú, ha querido registrarse con esta dirección. Ya tiene una cuenta, así que no se abre otra.',
        'Inicia sesión como siempre. Si has olvidado la contraseña, elige «¿Olvidaste tu contraseña?» en la página de inicio de sesión.',
      ],
      sms: 'Candor: este número ya tiene una cuenta. Inicia sesión o elige «¿Olvidaste tu contraseña?».',
    },
  },
}
