package io.holdfast.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.AbstractConstruct;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** A CloudFormation template, read strictly: no key twice, no function that CloudFormation does not have. */
record Template(Map<?, ?> root) {
    private static final Set<String> FUNCTIONS = Set.of("Sub", "GetAtt", "If", "Equals", "Not", "And", "Or", "Join");

    static final Template TABLE = read(Path.of("aws/table.yaml"));
    static final Template ROLE = read(Path.of("aws/role.yaml"));

    private static final Pattern SUBSTITUTION = Pattern.compile("\\$\\{([^}]+)}");

    static Template read(Path file) {
        try {
            return parse(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Template parse(String text) {
        var options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        return new Template((Map<?, ?>) new Yaml(new Functions(options)).load(text));
    }

    /** A short tag becomes what it is short for: {@code !Ref X} is {@code {Ref: X}}. */
    private static final class Functions extends SafeConstructor {
        Functions(LoaderOptions options) {
            super(options);
            yamlMultiConstructors.put("!", new AbstractConstruct() {
                @Override
                public Object construct(Node node) {
                    return Map.of(name(node.getTag().getValue().substring(1)), argument(node));
                }
            });
        }

        private static String name(String tag) {
            if (tag.equals("Ref")) {
                return tag;
            }
            if (!FUNCTIONS.contains(tag)) {
                throw new YAMLException("CloudFormation has no function !" + tag);
            }
            return "Fn::" + tag;
        }

        private Object argument(Node node) {
            return switch (node) {
                case ScalarNode scalar -> scalar.getValue();
                case SequenceNode sequence -> constructSequence(sequence);
                case MappingNode mapping -> constructMapping(mapping);
                default -> throw new YAMLException("not an argument: " + node);
            };
        }
    }

    /** What lies at the end of this path of names and places. */
    Object at(Object... path) {
        Object found = root;
        for (var step : path) {
            found = step instanceof Integer place ? ((List<?>) found).get(place) : ((Map<?, ?>) found).get(step);
        }
        return found;
    }

    Set<String> names(String section) {
        return strings(((Map<?, ?>) at(section)).keySet());
    }

    /** Whatever the function is applied to anywhere. */
    Set<String> arguments(String function) {
        var found = new TreeSet<String>();
        collect(root, function, found);
        return found;
    }

    private static void collect(Object node, String function, Set<String> found) {
        if (node instanceof Map<?, ?> map) {
            map.forEach((key, value) -> {
                if (key.equals(function)) {
                    found.add(value instanceof List<?> list ? String.valueOf(list.getFirst()) : String.valueOf(value));
                }
                collect(value, function, found);
            });
        } else if (node instanceof List<?> list) {
            list.forEach(each -> collect(each, function, found));
        }
    }

    /** The names in texts such as {@code table/${TableName}}. */
    Set<String> substituted() {
        var names = new TreeSet<String>();
        for (var text : arguments("Fn::Sub")) {
            SUBSTITUTION.matcher(text).results().forEach(name -> names.add(name.group(1)));
        }
        return names;
    }

    Set<String> conditionsUsed() {
        var used = new TreeSet<>(arguments("Fn::If"));
        for (var resource : ((Map<?, ?>) at("Resources")).values()) {
            if (((Map<?, ?>) resource).get("Condition") instanceof String condition) {
                used.add(condition);
            }
        }
        return used;
    }

    /** One statement of a policy, with its actions as a list. */
    record Statement(Set<String> actions, Object resource, Optional<Map<?, ?>> condition) {}

    List<Statement> statements(String policy) {
        var statements = new ArrayList<Statement>();
        for (var each : (List<?>) at("Resources", policy, "Properties", "PolicyDocument", "Statement")) {
            var statement = (Map<?, ?>) each;
            statements.add(new Statement(
                    strings((List<?>) statement.get("Action")),
                    statement.get("Resource"),
                    Optional.ofNullable((Map<?, ?>) statement.get("Condition"))));
        }
        return statements;
    }

    Set<String> actions(String policy) {
        var actions = new TreeSet<String>();
        statements(policy).forEach(statement -> actions.addAll(statement.actions()));
        return actions;
    }

    static Set<String> strings(Iterable<?> values) {
        var strings = new TreeSet<String>();
        values.forEach(value -> strings.add(String.valueOf(value)));
        return strings;
    }
}
