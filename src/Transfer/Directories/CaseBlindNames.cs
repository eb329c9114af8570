using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Transfer.Directories;

/// <summary>
/// A set of names that differ in more than upper and lower case. It keeps a hash of each name, which needs at most 72 bytes however long the name is: all names of a
/// listing can be in it.
/// </summary>
internal sealed class CaseBlindNames
{
    // Half of a SHA-256: no two names have the same one.
    private readonly HashSet<UInt128> _hashes = [];

    /// <summary>Adds a name.</summary>
    /// <returns><see langword="true"/> if the name was added; <see langword="false"/> if it, or one that differs only in case, is in the set.</returns>
    public bool Add(string name)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(MemoryMarshal.AsBytes(name.ToUpperInvariant().AsSpan()), hash);
        return _hashes.Add(MemoryMarshal.Read<UInt128>(hash));
    }
}
