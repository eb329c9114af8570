using System.Security.Cryptography;
using System.Text;

namespace Transfer.Resume;

/// <summary>The name under which a later run finds what belongs to the same transfer: it tells of nothing, and is the same for the same words.</summary>
internal static class JournalName
{
    /// <summary>16 characters.</summary>
    public static string Of(params ReadOnlySpan<string?> words)
    {
        using IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
        foreach (string? word in words)
        {
            // With their lengths, so that no two lists of words are the same bytes.
            byte[] bytes = Encoding.UTF8.GetBytes(word ?? string.Empty);
            hash.AppendData(BitConverter.GetBytes(word is null ? -1 : bytes.Length));
            hash.AppendData(bytes);
        }

        return Convert.ToHexStringLower(hash.GetHashAndReset().AsSpan(0, 8));
    }
}
