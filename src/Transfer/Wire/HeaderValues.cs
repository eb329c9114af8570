using System.Runtime.CompilerServices;

namespace Transfer.S3.Wire;

/// <summary>The values of the headers in the table of <see cref="ObjectHeader"/>; null for those that aren't set. A struct, so that requests and responses need no other object for them.</summary>
[InlineArray(ObjectHeader.Count)]
internal struct HeaderValues : IEquatable<HeaderValues>
{
    private string? _first;

    public readonly string? this[ObjectHeader header] => this[header.Index];

    /// <summary>Creates the same values with another one for a header.</summary>
    public readonly HeaderValues With(ObjectHeader header, string? value)
    {
        HeaderValues changed = this;
        changed[header.Index] = value;
        return changed;
    }

    /// <summary>Creates the same values with those of a fallback for the headers that aren't set.</summary>
    public readonly HeaderValues Or(in HeaderValues fallback)
    {
        HeaderValues result = this;
        foreach (ObjectHeader header in ObjectHeader.All)
        {
            result[header.Index] ??= fallback[header];
        }

        return result;
    }

    public readonly bool Equals(HeaderValues other) => ((ReadOnlySpan<string?>)this).SequenceEqual(other);

    public override readonly bool Equals(object? obj) => obj is HeaderValues other && Equals(other);

    public override readonly int GetHashCode()
    {
        HashCode hash = default;
        foreach (string? value in this)
        {
            hash.Add(value);
        }

        return hash.ToHashCode();
    }
}
