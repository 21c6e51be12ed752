import type { Texts } from '../text.ts'

export const de: Texts = {
  locale: 'de-DE',
  footer: 'Candor fragt Sie nie nach einem Code oder Passwort, weder per E-Mail noch am Telefon noch im Chat.',
  phrase: 'Ihre Phrase: {phrase}',
  inbox: {
    title: 'Posteingang im Übungsmodus',
    note: 'E-Mails und Kurznachrichten des Übungsmodus kommen hier an und gehen nirgendwo sonst hin. Die neuesten zuerst.',
    filter: 'E-Mail-Adresse oder Telefonnummer',
    show: 'Anzeigen',
    refresh: 'Aktualisieren',
    empty: 'Noch ist nichts angekommen. Fordern Sie in der App einen Code an und aktualisieren Sie dann.',
    recipient: 'An {to}',
  },
  templates: {
    'register-code': {
      subject: '{code} ist Ihr Candor-Code',
      body: [
        'Willkommen. Geben Sie diesen Code ein, um Ihre Registrierung abzuschließen:',
        '{code}',
        'Er gilt {minutes} Minuten. Wenn Sie ihn nicht angefordert haben, ignorieren Sie diese Nachricht: Ohne den Code geschieht nichts.',
      ],
      sms: '{code} ist Ihr Candor-Code zur Registrierung. Gilt {minutes} Minuten. Geben Sie ihn niemandem.',
    },
    'reset-code': {
      subject: '{code} ist Ihr Code zum Zurücksetzen des Passworts',
      body: [
        'Geben Sie diesen Code ein, um ein neues Passwort festzulegen:',
        '{code}',
        'Er gilt {minutes} Minuten. Wenn Sie ihn nicht angefordert haben, hat jemand Ihre Adresse eingegeben: Ihr Passwort bleibt, wie es ist.',
        'Oder öffnen Sie diesen Link: 15 Minuten lang können Sie damit auch ohne Code ein neues Passwort festlegen.',
        '{link}',
      ],
      sms: '{code} ist Ihr Candor-Code zum Zurücksetzen des Passworts. Gilt {minutes} Minuten. Geben Sie ihn niemandem.',
    },
    'reset-link': {
      subject: 'Ihr Link zum Zurücksetzen des Passworts',
      body: [
        'Öffnen Sie diesen Link innerhalb von {minutes} Minuten, um ein neues Passwort festzulegen:',
        '{link}',
        'Codes werden zurzeit nicht angenommen, weil zu viele angefordert oder ausprobiert wurden.',
        'Wenn Sie ihn nicht angefordert haben, hat jemand Ihre Adresse eingegeben: Ihr Passwort bleibt, wie es ist. Geben Sie den Link niemandem.',
      ],
      sms: 'Candor: Neues Passwort über {link} festlegen, {minutes} Minuten gültig. Nicht weitergeben.',
    },
    'new-device': {
      subject: 'Neue Anmeldung in Ihrem Konto',
      body: [
        'Jemand hat sich von einem Gerät aus, das wir noch nicht kennen, in Ihrem Konto angemeldet.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, setzen Sie jetzt Ihr Passwort zurück: Das beendet alle Sitzungen.',
      ],
      sms: 'Candor: neue Anmeldung mit {device}, {ip}, {time}. Nicht Sie? Setzen Sie jetzt Ihr Passwort zurück.',
    },
    'password-changed': {
      subject: 'Ihr Passwort wurde geändert',
      body: [
        'Das Passwort Ihres Kontos wurde geändert, alle anderen Sitzungen wurden beendet.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das nicht waren, setzen Sie jetzt Ihr Passwort zurück und schreiben Sie dem Support.',
      ],
      sms: 'Candor: Ihr Passwort wurde geändert, {time}. Nicht Sie? Setzen Sie es jetzt zurück und schreiben Sie dem Support.',
    },
    'key-widened': {
      subject: 'Ein API-Schlüssel kann für Ihr Konto handeln',
      body: [
        'Für Ihr Konto wurde ein API-Schlüssel angelegt oder um Berechtigungen erweitert.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das nicht waren, löschen Sie den Schlüssel in der App und ändern Sie jetzt Ihr Passwort.',
      ],
      sms: 'Candor: Ein API-Schlüssel kann für Ihr Konto handeln, {time}. Nicht Sie? Jetzt löschen und Passwort ändern.',
    },
    'proof-code': {
      subject: '{code} ist Ihr Bestätigungscode',
      body: [
        'Geben Sie diesen Code ein, um zu bestätigen, dass Sie es sind:',
        '{code}',
        'Er gilt {minutes} Minuten. Wenn Sie ihn nicht angefordert haben, ist jemand in Ihrem Konto angemeldet: Setzen Sie jetzt Ihr Passwort zurück.',
      ],
      sms: '{code} ist Ihr Candor-Bestätigungscode. Gilt {minutes} Minuten. Geben Sie ihn niemandem.',
    },
    'factor-added': {
      subject: 'Ein zweiter Faktor wurde hinzugefügt',
      body: [
        'Zu Ihrem Konto wurde ein Passkey oder eine Authenticator-App hinzugefügt.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das nicht waren, setzen Sie jetzt Ihr Passwort zurück und schreiben Sie dem Support.',
      ],
      sms: 'Candor: Ein zweiter Faktor wurde hinzugefügt, {time}. Nicht Sie? Jetzt Passwort zurücksetzen und dem Support schreiben.',
    },
    'factor-removed': {
      subject: 'Ein zweiter Faktor wurde entfernt',
      body: [
        'Aus Ihrem Konto wurde ein Passkey oder die Authenticator-App entfernt.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das nicht waren, setzen Sie jetzt Ihr Passwort zurück und schreiben Sie dem Support.',
      ],
      sms: 'Candor: Ein zweiter Faktor wurde entfernt, {time}. Nicht Sie? Jetzt Passwort zurücksetzen und dem Support schreiben.',
    },
    'factor-failed': {
      subject: 'Eine Anmeldung blieb beim zweiten Faktor stehen',
      body: [
        'Jemand hat Ihr Passwort und danach einen falschen Code eingegeben.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das nicht waren, kennt jemand Ihr Passwort: Ändern Sie es jetzt.',
      ],
      sms: 'Candor: richtiges Passwort, falscher zweiter Faktor, {time}. Nicht Sie? Jetzt Passwort ändern.',
    },
    'papers-verified': {
      subject: 'Ihre Identität ist verifiziert',
      body: ['Ihre Identität ist verifiziert. Futures, Margin, Second und der Verleih stehen Ihnen jetzt offen.'],
      sms: 'Candor: Ihre Identität ist verifiziert.',
    },
    'papers-rejected': {
      subject: 'Ihre Identitätsprüfung braucht eine Änderung',
      body: [
        'Wir konnten Ihre Identität noch nicht verifizieren. Öffnen Sie in der App „Identitätsprüfung“: Dort steht, was fehlt und warum.',
        'Nur die markierten Teile müssen Sie neu senden.',
      ],
      sms: 'Candor: Ihre Identitätsprüfung braucht eine Änderung. Die App zeigt, was fehlt.',
    },
    'papers-revoked': {
      subject: 'Ihre Identitätsprüfung wurde widerrufen',
      body: [
        'Ihre Identität ist nicht mehr verifiziert. Futures, Margin, Second und der Verleih sind für neue Orders geschlossen; Offenes können Sie schließen, und Ihr Guthaben gehört Ihnen wie zuvor.',
        'Öffnen Sie in der App „Identitätsprüfung“, um sich neu zu verifizieren, oder schreiben Sie dem Support.',
      ],
      sms: 'Candor: Ihre Identitätsprüfung wurde widerrufen. Verifizieren Sie sich in der App neu.',
    },
    'staff-enrolment': {
      subject: 'Richten Sie Ihr Mitarbeiterkonto ein',
      body: [
        'Öffnen Sie diesen Link, um ein Passwort und einen Passkey für Ihr Mitarbeiterkonto festzulegen:',
        '{link}',
        'Er gilt einmal, innerhalb von 24 Stunden, und nur für Sie: Geben Sie ihn niemandem, auch nicht Kolleginnen und Kollegen.',
        'Wenn Sie ihn nicht erwartet haben, öffnen Sie ihn nicht und sagen Sie es der Administration.',
      ],
      sms: 'Candor: Mitarbeiterkonto einrichten: {link}, einmal, 24 Stunden gültig. Nur für Sie.',
    },
    'staff-address': {
      subject: 'Die Adresse Ihres Mitarbeiterkontos wurde geändert',
      body: [
        'E-Mails für Ihr Mitarbeiterkonto gehen von jetzt an an eine andere Adresse.',
        'Zeit: {time}',
        'Wenn Sie das nicht wollten, sagen Sie es jetzt der Administration.',
      ],
      sms: 'Candor: E-Mails für Ihr Mitarbeiterkonto gehen an eine andere Adresse, {time}. Nicht gewollt? Administration informieren.',
    },
    'staff-login': {
      subject: 'Die Anmeldung Ihres Mitarbeiterkontos wurde geändert',
      body: [
        'Ein Passkey, die Authenticator-App oder das Passwort Ihres Mitarbeiterkontos wurde geändert.',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das nicht waren, sagen Sie es jetzt der Administration: Eine neue Einrichtung beendet alle Sitzungen.',
      ],
      sms: 'Candor: Die Anmeldung Ihres Mitarbeiterkontos wurde geändert, {time}. Nicht Sie? Administration informieren.',
    },
    'webhook-created': {
      subject: 'Ihrem Konto wurde ein Webhook hinzugefügt',
      body: [
        'Von jetzt an werden die Ereignisse Ihres Kontos an diese URL gesendet:',
        '{url}',
        'Gerät: {device}\nIP-Adresse: {ip}\nZeit: {time}',
        'Wenn Sie das nicht waren, löschen Sie den Webhook in der App und ändern Sie jetzt Ihr Passwort.',
      ],
      sms: 'Candor: Ihrem Konto wurde ein Webhook hinzugefügt, {time}. Nicht Sie? Jetzt löschen und Passwort ändern.',
    },
    'webhook-off': {
      subject: 'Ein Webhook wurde abgeschaltet',
      body: [
        'Zustellungen an einen Ihrer Webhooks schlagen seit {time} fehl. Er wurde deshalb abgeschaltet:',
        '{url}',
        'Wenn Ihr Server wieder arbeitet, schalten Sie den Webhook in der App ein und senden Sie die verpassten Ereignisse erneut. Orders und Guthaben sind nicht betroffen.',
      ],
      sms: 'Candor: Einer Ihrer Webhooks wurde abgeschaltet: Zustellungen schlagen seit {time} fehl.',
    },
    'account-exists': {
      subject: 'Sie haben bereits ein Konto',
      body: [
        'Jemand, vermutlich Sie, wollte sich mit dieser Adresse registrieren. Zu ihr gibt es schon ein Konto, ein zweites wird nicht eröffnet.',
        'Melden Sie sich wie gewohnt an. Wenn Sie Ihr Passwort vergessen haben, wählen Sie auf der Anmeldeseite „Passwort vergessen?“.',
      ],
      sms: 'Candor: Zu dieser Nummer gibt es schon ein Konto. Melden Sie sich an oder wählen Sie „Passwort vergessen?“.',
    },
  },
}
