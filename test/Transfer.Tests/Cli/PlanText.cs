using System.Collections;
using System.Globalization;
using System.Reflection;
using System.Text;

namespace Transfer.S3.Tests.Cli;

/// <summary>Formats the plan of a command with all its settings, so that plans can be compared.</summary>
internal static class PlanText
{
    private const int MaxDepth = 8;

    public static string Of(object? value)
    {
        StringBuilder text = new();
        Append(text, value, 0);
        return text.ToString();
    }

    private static void Append(StringBuilder text, object? value, int depth)
    {
        switch (value)
        {
            case null:
                text.Append("null");
                break;
            case string word:
                text.Append(word);
                break;
            case Delegate:
                text.Append("code");
                break;
            case IDictionary pairs:
                foreach (DictionaryEntry pair in pairs)
                {
                    text.Append(CultureInfo.InvariantCulture, $"[{pair.Key}={pair.Value}]");
                }

                break;
            case IEnumerable items:
                foreach (object? item in items)
                {
                    text.Append("- ");
                    Append(text, item, depth + 1);
                }

                break;
            case not IFormattable when value.GetType().Namespace?.StartsWith("Transfer", StringComparison.Ordinal) == true && depth < MaxDepth:
                AppendProperties(text, value, depth);
                break;
            default:
                text.Append(CultureInfo.InvariantCulture, $"{value}");
                break;
        }

        text.AppendLine();
    }

    private static void AppendProperties(StringBuilder text, object value, int depth)
    {
        text.AppendLine(value.GetType().Name);
        foreach (PropertyInfo property in value.GetType().GetProperties(BindingFlags.Public | BindingFlags.Instance))
        {
            text.Append(' ', depth + 1).Append(property.Name).Append(": ");
            Append(text, property.GetValue(value), depth + 1);
        }
    }
}
