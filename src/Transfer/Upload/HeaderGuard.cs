using System.Buffers;
using System.Diagnostics.CodeAnalysis;

namespace Transfer.S3.Upload;

/// <summary>Validates the values of headers before anything is sent. The messages contain the option, its value, and the accepted values.</summary>
internal static class HeaderGuard
{
    // Amazon S3 User Guide, "Working with object metadata" and "Categorizing your storage using tags".
    private const int MaxMetadataBytes = 2048;
    private const int MaxTags = 10;
    private const int MaxTagKey = 128;
    private const int MaxTagValue = 256;

    /// <summary>The characters in names of headers (RFC 9110, section 5.6.2).</summary>
    private static readonly SearchValues<char> NameCharacters
        = SearchValues.Create("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");

    public static bool IsPlain([NotNullWhen(false)] string? value)
        => value is null || (value.Length > 0 && value.All(character => character is >= ' ' and <= '~') && value[0] != ' ' && value[^1] != ' ');

    public static string? Value(string option, string? value)
        => IsPlain(value)
            ? value
            : throw new ArgumentException($"{option} is '{Shown(value)}'; it must be text of printable ASCII characters, without spaces at its ends.", option);

    public static IReadOnlyDictionary<string, string>? Metadata(string option, IReadOnlyDictionary<string, string>? metadata)
    {
        int bytes = 0;
        foreach ((string name, string value) in metadata ?? new Dictionary<string, string>())
        {
            if (name.Length == 0 || name.AsSpan().ContainsAnyExcept(NameCharacters))
            {
                throw new ArgumentException($"{option} has the name '{Shown(name)}'; a name must consist of letters, digits, and !#$%&'*+-.^_`|~.", option);
            }

            if (value.Length > 0)
            {
                Value($"{option}[{name}]", value);
            }

            bytes += name.Length + value.Length;
        }

        return bytes <= MaxMetadataBytes
            ? metadata
            : throw new ArgumentException($"{option} has {bytes} bytes of names and values; they must be at most {MaxMetadataBytes}.", option);
    }

    public static IReadOnlyDictionary<string, string>? Tags(string option, IReadOnlyDictionary<string, string>? tags)
    {
        if (tags is { Count: > MaxTags })
        {
            throw new ArgumentException($"{option} has {tags.Count} tags; an object can have at most {MaxTags}.", option);
        }

        foreach ((string key, string value) in tags ?? new Dictionary<string, string>())
        {
            if (key.Length is 0 or > MaxTagKey || value is null or { Length: > MaxTagValue })
            {
                throw new ArgumentException($"{option} has '{Shown(key)}'; a key must have 1 to {MaxTagKey} characters, and a value at most {MaxTagValue}.", option);
            }
        }

        return tags;
    }

    private static string Shown(string value) => string.Concat(value.Select(character => char.IsControl(character) ? '�' : character));
}
