using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Options;

namespace Transfer.S3.Cli.Commands;

/// <summary>The changes of <c>transfer tag</c>, and the limits of S3 on tags.</summary>
/// <param name="Set">The tags to add or replace.</param>
/// <param name="Remove">The keys of the tags to remove.</param>
/// <param name="Clear">Whether all other tags are removed.</param>
internal sealed record TagChanges(IReadOnlyDictionary<string, string> Set, IReadOnlyList<string> Remove, bool Clear)
{
    // Amazon S3 User Guide, "Categorizing your storage using tags"
    private const int MaxTags = 10;
    private const int MaxKey = 128;
    private const int MaxValue = 256;
    private const string Accepted = "KEY=VALUE, each key once, with a key of 1 to 128 characters and a value of at most 256";

    public bool IsEmpty => Set.Count == 0 && Remove.Count == 0 && !Clear;

    public static TagChanges Parse(IReadOnlyList<string> set, IReadOnlyList<string> remove, bool clear)
    {
        Dictionary<string, string> tags = [];
        foreach (string text in set)
        {
            int equals = text.IndexOf('=', StringComparison.Ordinal);
            if (equals is <= 0 or > MaxKey || text.Length - equals - 1 > MaxValue || !tags.TryAdd(text[..equals], text[(equals + 1)..]))
            {
                throw OptionValues.Wrong(new GivenValue("--set", text), Accepted);
            }
        }

        if (remove.FirstOrDefault(tags.ContainsKey) is { } both)
        {
            throw new UsageException($"--set and --remove contradict each other: both have '{Printable.Text(both)}'");
        }

        return tags.Count <= MaxTags ? new TagChanges(tags, remove, clear) : throw TooMany(tags.Count);
    }

    /// <summary>Applies the changes to the tags of an object.</summary>
    /// <exception cref="UsageException">Thrown when the object would have too many tags.</exception>
    public SortedDictionary<string, string> ApplyTo(IEnumerable<KeyValuePair<string, string>> current)
    {
        SortedDictionary<string, string> tags = new(StringComparer.Ordinal);
        foreach ((string key, string value) in Clear ? [] : current.Where(tag => !Remove.Contains(tag.Key)))
        {
            tags[key] = value;
        }

        foreach ((string key, string value) in Set)
        {
            tags[key] = value;
        }

        return tags.Count <= MaxTags ? tags : throw TooMany(tags.Count);
    }

    private static UsageException TooMany(int count) => new($"the object would have {count} tags; S3 allows at most {MaxTags}");
}
