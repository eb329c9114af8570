using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Transfer.S3.Trees;

/// <summary>
/// A set of names that is not case-sensitive. It keeps a hash of each name, which needs at most 72 bytes however long the name is, so it can contain all names of a
/// listing.
/// </summary>
internal sealed class CaseInsensitiveNames
{
    // Half of a SHA-256. A collision is practically impossible.
    private readonly HashSet<UInt128> _hashes = [];

    /// <summary>Adds a name.</summary>
    /// <returns><see langword="true"/> if the name was added; <see langword="false"/> if the set already contains it, or a name that differs only by case.</returns>
    public bool Add(string name) => _hashes.Add(ComputeHash(name));

    /// <summary>Returns whether the set contains a name, or one that differs only by case.</summary>
    public bool Contains(string name) => _hashes.Contains(ComputeHash(name));

    private static UInt128 ComputeHash(string name)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(MemoryMarshal.AsBytes(name.ToUpperInvariant().AsSpan()), hash);
        return MemoryMarshal.Read<UInt128>(hash);
    }
}
