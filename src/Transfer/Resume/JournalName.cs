using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace Transfer.S3.Resume;

/// <summary>
/// Creates the name under which a later run finds the state of the same transfer. The name is a hash, so it is the same for the same words and reveals nothing about
/// them.
/// </summary>
internal static class JournalName
{
    /// <summary>The size of a buffer on the stack, in bytes, which is enough for the words of most names.</summary>
    private const int MaxOnStack = 512;

    /// <summary>Gets a name of 16 characters.</summary>
    public static string Create(params ReadOnlySpan<string?> words)
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
            // The lengths are included, so that different lists of words have different bytes.
            int length = word is null ? 0 : Encoding.UTF8.GetBytes(word, bytes[(end + sizeof(int))..]);
            BinaryPrimitives.WriteInt32LittleEndian(bytes[end..], word is null ? -1 : length);
            end += sizeof(int) + length;
        }

        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(bytes[..end], hash);
        return Convert.ToHexStringLower(hash[..8]);
    }
}
