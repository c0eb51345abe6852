package io.libdv.internal;

import java.util.HashMap;
import java.util.Map;

/**
 * The little JSON that a descriptor needs. Text that comes from outside is checked by the library
 * first; what is read here is known to be one well-formed object.
 */
public final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /**
   * The strings and numbers among the members of an object; what is nested or null is left out.
   *
   * @param object one well-formed JSON object
   * @return the members' values by name: a string's characters, a number's digits
   */
  public static Map<String, String> scalars(String object) {
    return new Json(object).members();
  }

  /**
   * A JSON string.
   *
   * @param value its characters
   * @return the string in quotes, escaped
   */
  public static String quote(String value) {
    StringBuilder quoted = new StringBuilder(value.length() + 2).append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  private Map<String, String> members() {
    Map<String, String> found = new HashMap<>();
    skipTo('{');
    while (peek() != '}') {
      String name = string();
      skipTo(':');
      String value = value();
      if (value != null) {
        found.put(name, value);
      }
      if (peek() == ',') {
        at++;
      }
    }
    return found;
  }

  /** A string or a number; null for anything else, which is passed over. */
  private String value() {
    char first = peek();
    if (first == '"') {
      return string();
    }
    if (first == '{' || first == '[') {
      passNested();
      return null;
    }
    int start = at;
    while (at < text.length() && ",}] \t\r\n".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return first == '-' || Character.isDigit(first) ? text.substring(start, at) : null;
  }

  private void passNested() {
    int depth = 0;
    do {
      char c = peek();
      if (c == '"') {
        string();
        continue;
      }
      at++;
      if (c == '{' || c == '[') {
        depth++;
      } else if (c == '}' || c == ']') {
        depth--;
      }
    } while (depth > 0);
  }

  private String string() {
    skipTo('"');
    StringBuilder value = new StringBuilder();
    while (text.charAt(at) != '"') {
      char c = text.charAt(at++);
      value.append(c == '\\' ? escaped() : c);
    }
    at++;
    return value.toString();
  }

  private char escaped() {
    char c = text.charAt(at++);
    return switch (c) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        at += 4;
        yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
      }
      default -> c;
    };
  }

  /** Passes white space and the one character that must follow it. */
  private void skipTo(char expected) {
    if (peek() != expected) {
      throw new IllegalArgumentException(
          "JSON: expected '" + expected + "' at character " + at + " of " + text);
    }
    at++;
  }

  /** The next character that is no white space, which stays the next one. */
  private char peek() {
    while (Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return text.charAt(at);
  }
}
