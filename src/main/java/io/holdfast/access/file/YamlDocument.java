package io.holdfast.access.file;

import io.holdfast.access.file.YamlNode.Mapping;
import io.holdfast.access.file.YamlNode.Sequence;
import io.holdfast.access.file.YamlNode.Text;
import java.util.ArrayList;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * Reads one YAML document into a tree. Anchors, aliases and tags are refused, so that a short text cannot stand for a
 * long one, and no text names a class.
 */
final class YamlDocument {
    private static final int DEPTH_MAX = 16;
    private static final String BYTE_ORDER_MARK = "\ufeff";

    private final ParserImpl parser;

    private YamlDocument(String text) {
        parser = new ParserImpl(new StreamReader(text), new LoaderOptions());
    }

    static YamlNode read(String text) throws BrokenYamlException {
        try {
            return new YamlDocument(text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text).document();
        } catch (MarkedYAMLException e) {
            var line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
            throw new BrokenYamlException(line, "not YAML: " + e.getProblem());
        } catch (YAMLException e) {
            throw new BrokenYamlException(1, "not YAML: " + e.getMessage());
        }
    }

    private YamlNode document() throws BrokenYamlException {
        parser.getEvent();
        if (parser.checkEvent(Event.ID.StreamEnd)) {
            throw new BrokenYamlException(1, "the file is empty");
        }
        var start = (DocumentStartEvent) parser.getEvent();
        // Without a directive there is no map.
        if (start.getTags() != null && !start.getTags().isEmpty()) {
            throw new BrokenYamlException(line(start), "YAML tags are not allowed");
        }
        var root = node(1);
        parser.getEvent();
        if (!parser.checkEvent(Event.ID.StreamEnd)) {
            throw new BrokenYamlException(line(parser.peekEvent()), "a second YAML document is not allowed");
        }
        return root;
    }

    private YamlNode node(int depth) throws BrokenYamlException {
        var event = parser.getEvent();
        if (depth > DEPTH_MAX) {
            throw new BrokenYamlException(line(event), "nested deeper than " + DEPTH_MAX);
        }
        refuseAnchors(event);
        return switch (event) {
            case ScalarEvent scalar -> {
                refuseTag(scalar.getTag(), event);
                yield new Text(scalar.getValue(), scalar.getScalarStyle() == ScalarStyle.PLAIN, line(event));
            }
            case SequenceStartEvent list -> {
                refuseTag(list.getTag(), event);
                yield sequence(line(event), depth);
            }
            case MappingStartEvent mapping -> {
                refuseTag(mapping.getTag(), event);
                yield mapping(line(event), depth);
            }
            default -> throw new BrokenYamlException(line(event), "not YAML: unexpected " + event.getEventId());
        };
    }

    private Sequence sequence(int line, int depth) throws BrokenYamlException {
        var items = new ArrayList<YamlNode>();
        while (!parser.checkEvent(Event.ID.SequenceEnd)) {
            items.add(node(depth + 1));
        }
        parser.getEvent();
        return new Sequence(items, line);
    }

    private Mapping mapping(int line, int depth) throws BrokenYamlException {
        var entries = new ArrayList<Mapping.Entry>();
        while (!parser.checkEvent(Event.ID.MappingEnd)) {
            if (!(node(depth + 1) instanceof Text key)) {
                throw new BrokenYamlException(line, "a key must be a word");
            }
            entries.add(new Mapping.Entry(key, node(depth + 1)));
        }
        parser.getEvent();
        return new Mapping(entries, line);
    }

    private static void refuseAnchors(Event event) throws BrokenYamlException {
        if (event instanceof AliasEvent || event instanceof NodeEvent node && node.getAnchor() != null) {
            throw new BrokenYamlException(line(event), "YAML anchors and aliases are not allowed");
        }
    }

    private static void refuseTag(String tag, Event event) throws BrokenYamlException {
        if (tag != null) {
            throw new BrokenYamlException(line(event), "YAML tags are not allowed");
        }
    }

    private static int line(Event event) {
        return event.getStartMark().getLine() + 1;
    }
}
