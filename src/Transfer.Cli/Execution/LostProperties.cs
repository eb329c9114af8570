using Transfer.S3.Bench.Text;
using Transfer.S3.Cli.Rendering;

namespace Transfer.S3.Cli.Execution;

/// <summary>Counts the objects that were copied without all properties of their sources.</summary>
internal sealed class LostProperties
{
    /// <summary>The number of names that are kept. Metadata can have any number of names.</summary>
    private const int MaxNames = 100;

    private readonly SortedDictionary<string, long> _names = new(StringComparer.Ordinal);

    /// <summary>Gets the number of these objects.</summary>
    public long Objects { get; private set; }

    public void Add(IReadOnlyList<string> lost)
    {
        Objects += lost.Count > 0 ? 1 : 0;
        foreach (string name in lost)
        {
            if (_names.TryGetValue(name, out long count) || _names.Count < MaxNames)
            {
                _names[name] = count + 1;
            }
        }
    }

    /// <summary>Gets the names of the properties, with the numbers of objects.</summary>
    public override string ToString() => string.Join(", ", _names.Select(static name => $"{name.Key} ({Units.Number(name.Value)})"));

    /// <summary>Gets the result; null if nothing was lost.</summary>
    public LostJson? ToJson() => Objects == 0 ? null : new LostJson(Objects, [.. _names.Keys]);
}
