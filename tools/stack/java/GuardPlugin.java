import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.SecureAuxTransportSettingsProvider;
import org.opensearch.plugins.SecureHttpTransportSettingsProvider;
import org.opensearch.plugins.SecureSettingsFactory;
import org.opensearch.plugins.SecureTransportSettingsProvider;
import org.opensearch.plugins.TransportExceptionHandler;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestHandler;

/**
 * TLS and one user with a password for a node without the security plugin. TLS takes its key and certificate from the
 * directory ACERVO_STACK_TLS; the user is `acervo` with the password ACERVO_STACK_PASSWORD.
 */
public class GuardPlugin extends Plugin implements ActionPlugin {
    private static final String ALGORITHM = "EC";

    private final byte[] expected = basic("acervo", System.getenv("ACERVO_STACK_PASSWORD"));
    private final SSLContext tls = contextOf(Path.of(System.getenv("ACERVO_STACK_TLS")));

    private static byte[] basic(String user, String password) {
        byte[] both = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return ("Basic " + Base64.getEncoder().encodeToString(both)).getBytes(StandardCharsets.UTF_8);
    }

    private static SSLContext contextOf(Path directory) {
        try {
            String pem = Files.readString(directory.resolve("tls_key")).replaceAll("-----.*-----|\\s", "");
            byte[] certificate = Files.readAllBytes(directory.resolve("tls_certificate"));
            Certificate[] chain = CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(certificate)).toArray(Certificate[]::new);
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            var key = KeyFactory.getInstance(ALGORITHM)
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(pem)));
            store.setKeyEntry("node", key, new char[0], chain);
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, new char[0]);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return context;
        } catch (IOException | GeneralSecurityException failure) {
            throw new IllegalStateException("The certificate of the node cannot be used.", failure);
        }
    }

    /** Every request needs the password; a missing or wrong one is 401. */
    @Override
    public UnaryOperator<RestHandler> getRestHandlerWrapper(ThreadContext context) {
        return handler -> (request, channel, client) -> {
            List<String> given = request.getAllHeaderValues("Authorization");
            byte[] header = given == null || given.isEmpty() ? new byte[0] : given.get(0).getBytes(StandardCharsets.UTF_8);
            if (MessageDigest.isEqual(expected, header)) handler.handleRequest(request, channel, client);
            else channel.sendResponse(new BytesRestResponse(RestStatus.UNAUTHORIZED, "The password is missing or wrong."));
        };
    }

    @Override
    public Optional<SecureSettingsFactory> getSecureSettingFactory(Settings settings) {
        return Optional.of(new SecureSettingsFactory() {
            @Override
            public Optional<SecureTransportSettingsProvider> getSecureTransportSettingsProvider(Settings settings) {
                return Optional.empty();
            }

            @Override
            public Optional<SecureAuxTransportSettingsProvider> getSecureAuxTransportSettingsProvider(Settings settings) {
                return Optional.empty();
            }

            @Override
            public Optional<SecureHttpTransportSettingsProvider> getSecureHttpTransportSettingsProvider(Settings settings) {
                return Optional.of(new Provider());
            }
        });
    }

    private final class Provider implements SecureHttpTransportSettingsProvider {
        @Override
        public Optional<TransportExceptionHandler> buildHttpServerExceptionHandler(Settings settings, HttpServerTransport transport) {
            return Optional.empty();
        }

        @Override
        public Optional<SSLEngine> buildSecureHttpServerEngine(Settings settings, HttpServerTransport transport) {
            SSLEngine engine = tls.createSSLEngine();
            engine.setUseClientMode(false);
            return Optional.of(engine);
        }
    }
}
