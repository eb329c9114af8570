using System.Text;

namespace Transfer.S3.Wire.Http;

/// <summary>The names of the elements of one document. Nearly all tags repeat one, which is found faster than it is checked.</summary>
internal sealed class KnownNames
{
    private readonly ElementName?[] _names = new ElementName?[64];

    /// <summary>Finds a name that was added before.</summary>
    /// <returns>Null if it isn't known, as if another one has taken its place.</returns>
    public ElementName? Find(ReadOnlySpan<byte> name) => _names[GetPlace(name)] is { } known && name.SequenceEqual(known.Bytes) ? known : null;

    /// <summary>Adds a name, which must be valid.</summary>
    public ElementName Add(ReadOnlySpan<byte> name)
        => _names[GetPlace(name)] = new ElementName(name.ToArray(), Encoding.UTF8.GetString(name[(name.IndexOf((byte)':') + 1)..]));

    private static int GetPlace(ReadOnlySpan<byte> name) => name.IsEmpty ? 0 : ((name.Length * 7) + name[0] + name[^1]) & 63;
}
