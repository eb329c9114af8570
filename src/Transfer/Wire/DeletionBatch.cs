using System.Buffers;
using System.Text;

namespace Transfer.S3.Wire;

/// <summary>Objects that one request deletes: as many as S3 and the stores that imitate it accept.</summary>
/// <remarks>
/// XML 1.0 can't contain some characters, and servers change others, such as a carriage return or a space at the end of a key. A wrong key would delete another
/// object, so such an object is deleted by a request of its own (<see cref="Accepts"/>).
/// </remarks>
internal sealed class DeletionBatch
{
    /// <summary>The maximum number of objects (Amazon S3 API Reference, "DeleteObjects").</summary>
    public const int MaxObjects = 1000;

    /// <summary>The maximum size of the document. MinIO accepts 2 MB, and keys of 1,024 bytes need less, unless many of their characters are escaped.</summary>
    private const int MaxBytes = 1_900_000;

    /// <summary>The size of the elements of one object, without its texts.</summary>
    private const int BytesBeside = 100;

    /// <summary>The characters that XML 1.0 or 1.1 can't contain, or that a parser may change.</summary>
    private static readonly SearchValues<char> Unsafe = SearchValues.Create(
        [.. Enumerable.Range(0, 0x20).Concat(Enumerable.Range(0x7F, 0x21)).Concat([0x2028, 0x2029, 0xFFFE, 0xFFFF]).Select(static code => (char)code)]);

    private static readonly SearchValues<char> Escaped = SearchValues.Create("&<>\"'");
    private readonly List<ObjectDeletion> _objects = [];
    private int _bytes;

    public IReadOnlyList<ObjectDeletion> Objects => _objects;

    /// <summary>Returns whether a batch can contain an object.</summary>
    public static bool Accepts(ObjectDeletion item)
    {
        string key = item.Key;
        return key.Length > 0 && !key.AsSpan().ContainsAny(Unsafe) && !char.IsWhiteSpace(key[0]) && !char.IsWhiteSpace(key[^1]);
    }

    /// <summary>Adds an object if the batch has room for it. A batch always has room for one.</summary>
    public bool TryAdd(ObjectDeletion item)
    {
        int bytes = BytesBeside + GetSize(item.Key) + GetSize(item.ETag) + GetSize(item.VersionId);
        if (_objects.Count == MaxObjects || (_objects.Count > 0 && _bytes + bytes > MaxBytes))
        {
            return false;
        }

        _objects.Add(item);
        _bytes += bytes;
        return true;
    }

    private static int GetSize(string? text)
    {
        if (text is null)
        {
            return 0;
        }

        int size = Encoding.UTF8.GetByteCount(text);
        if (text.AsSpan().ContainsAny(Escaped))
        {
            foreach (char letter in text)
            {
                size += Escaped.Contains(letter) ? 5 : 0; // &quot;
            }
        }

        return size;
    }
}
