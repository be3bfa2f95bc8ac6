import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.opensearch.Version;
import org.opensearch.common.logging.LogConfigurator;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.PluginInfo;

/** One OpenSearch node whose modules lie on the class path: StackNode HOME HTTP_PORT TRANSPORT_PORT. */
public class StackNode {
    private static final Map<String, String> MODULES = Map.of(
        "transport-netty4", "org.opensearch.transport.Netty4ModulePlugin",
        "analysis-common", "org.opensearch.analysis.common.CommonAnalysisModulePlugin",
        "lang-painless", "org.opensearch.painless.PainlessModulePlugin",
        "reindex", "org.opensearch.index.reindex.ReindexModulePlugin",
        "mapper-extras", "org.opensearch.index.mapper.MapperExtrasModulePlugin",
        "parent-join", "org.opensearch.join.ParentJoinModulePlugin",
        "ingest-common", "org.opensearch.ingest.common.IngestCommonModulePlugin",
        "guard", "GuardPlugin");

    private static final String LOGGING = """
        status = error
        appender.console.type = Console
        appender.console.name = console
        appender.console.target = SYSTEM_ERR
        appender.console.layout.type = PatternLayout
        appender.console.layout.pattern = [%d{ISO8601}][%-5p][%-25c{1.}] %m%n
        rootLogger.level = warn
        rootLogger.appenderRef.console.ref = console
        """;

    private static final class ClassPathNode extends Node {
        ClassPathNode(Environment environment, Collection<PluginInfo> plugins) {
            super(environment, plugins, false);
        }
    }

    private static List<PluginInfo> modules() {
        List<PluginInfo> found = new ArrayList<>();
        MODULES.forEach((name, type) -> found.add(
            new PluginInfo(name, "module", "NA", Version.CURRENT, "21", type, null, List.of(), false)));
        return found;
    }

    private static Settings settings(Path home, String http, String transport) {
        return Settings.builder()
            .put("path.home", home).put("path.data", home.resolve("data")).put("path.logs", home.resolve("logs"))
            .put("cluster.name", "acervo-stack").put("node.name", "one").put("discovery.type", "single-node")
            .put("network.host", "127.0.0.1").put("http.port", http).put("transport.port", transport)
            .put("http.type", "netty4-secure").put("transport.type", "netty4")
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .put("action.auto_create_index", false).put("action.destructive_requires_name", true)
            .build();
    }

    public static void main(String[] arguments) throws Exception {
        Path home = Path.of(arguments[0]).toAbsolutePath();
        Path config = Files.createDirectories(home.resolve("config"));
        Files.createDirectories(home.resolve("logs"));
        Files.writeString(config.resolve("log4j2.properties"), LOGGING);
        LogConfigurator.registerErrorListener();
        Environment environment = InternalSettingsPreparer.prepareEnvironment(
            settings(home, arguments[1], arguments[2]), Map.of(), config, () -> "one");
        LogConfigurator.setNodeName("one");
        LogConfigurator.configure(environment);
        Node node = new ClassPathNode(environment, modules());
        CountDownLatch ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                node.close();
            } catch (Exception failure) {
                failure.printStackTrace();
            }
            ended.countDown();
        }));
        node.start();
        ended.await();
    }
}
