using System.Text;

namespace Transfer.S3.Cli.Options;

/// <summary>The names of values in options: words in lower case, with hyphens.</summary>
internal static class EnumText
{
    /// <summary>Gets the name of a value. A digit, or a letter after one, begins no word: <c>list-v2</c>, <c>crc64nvme</c>. Neither does the second of two capitals: <c>etag</c>.</summary>
    public static string Name(Enum value)
    {
        StringBuilder name = new();
        string words = value.ToString();
        for (int i = 0; i < words.Length; i++)
        {
            if (i > 0 && char.IsUpper(words[i]) && !char.IsUpper(words[i - 1]) && !char.IsDigit(words[i - 1]))
            {
                name.Append('-');
            }

            name.Append(char.ToLowerInvariant(words[i]));
        }

        return name.ToString();
    }

    /// <summary>Finds the value with a name.</summary>
    public static bool TryParse<T>(string text, out T value)
        where T : struct, Enum
    {
        T[] found = [.. Enum.GetValues<T>().Where(one => Name(one) == text)];
        value = found.FirstOrDefault();
        return found.Length > 0;
    }

    /// <summary>Gets names for messages: <c>auto, bar, or none</c>.</summary>
    public static string AnyOf(string[] names) => $"{string.Join(", ", names[..^1])}{(names.Length > 2 ? "," : string.Empty)} or {names[^1]}";
}
