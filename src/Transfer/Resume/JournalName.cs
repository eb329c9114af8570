using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace Transfer.Resume;

/// <summary>The name under which a later run finds what belongs to the same transfer: it tells of nothing, and is the same for the same words.</summary>
internal static class JournalName
{
    /// <summary>The words of most names fit into this many bytes, which need no allocation.</summary>
    private const int MaxOnStack = 512;

    /// <summary>16 characters.</summary>
    public static string Of(params ReadOnlySpan<string?> words)
    {
        int count = 0;
        foreach (string? word in words)
        {
            count += sizeof(int) + (word is null ? 0 : Encoding.UTF8.GetByteCount(word));
        }

        Span<byte> bytes = count <= MaxOnStack ? stackalloc byte[MaxOnStack] : new byte[count];
        int end = 0;
        foreach (string? word in words)
        {
            // With their lengths, so that no two lists of words are the same bytes.
            int length = word is null ? 0 : Encoding.UTF8.GetBytes(word, bytes[(end + sizeof(int))..]);
            BinaryPrimitives.WriteInt32LittleEndian(bytes[end..], word is null ? -1 : length);
            end += sizeof(int) + length;
        }

        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(bytes[..end], hash);
        return Convert.ToHexStringLower(hash[..8]);
    }
}
