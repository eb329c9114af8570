using System.Text;
using System.Text.Json;
using Microsoft.Win32.SafeHandles;
using Transfer.S3.Sync;

namespace Transfer.S3.Jobs;

/// <summary>The huge objects of a job with the results of their pieces, which are in a temporary file until the object is completed.</summary>
internal sealed class HugeObjects : IDisposable
{
    private readonly FileStream _lines = TemporaryFile.CreateIn(null, "huge");
    private readonly SortedDictionary<int, List<(long Offset, int Length)>> _pieces = [];
    private long _end;

    /// <summary>Gets the numbers of the objects.</summary>
    public IReadOnlyCollection<int> Numbers => _pieces.Keys;

    /// <summary>Adds the pieces of a shard.</summary>
    public void Add(ShardReview review)
    {
        foreach (string line in review.ReadPieces())
        {
            int number = Parse(line).Item.Piece!.Object;
            if (!_pieces.TryGetValue(number, out List<(long, int)>? pieces))
            {
                _pieces.Add(number, pieces = []);
            }

            byte[] text = Encoding.UTF8.GetBytes(line);
            pieces.Add((_end, text.Length));
            _lines.Write(text);
            _end += text.Length;
        }
    }

    /// <summary>Gets the pieces of an object, in the order of their parts. Calls can overlap.</summary>
    public IReadOnlyList<ReviewedPiece> Read(int number)
    {
        SafeFileHandle handle;
        lock (_lines)
        {
            handle = _lines.SafeFileHandle; // this writes what is in its buffer
        }

        List<ReviewedPiece> pieces = [];
        foreach ((long offset, int length) in _pieces[number])
        {
            byte[] text = new byte[length];
            for (int read = 0; read < length;)
            {
                int count = RandomAccess.Read(handle, text.AsSpan(read), offset + read);
                read += count > 0 ? count : throw new IOException("A temporary file was truncated.");
            }

            pieces.Add(Parse(Encoding.UTF8.GetString(text)));
        }

        pieces.Sort(static (x, y) => x.Item.Piece!.First.CompareTo(y.Item.Piece!.First));
        return pieces;
    }

    public void Dispose() => _lines.Dispose();

    private static ReviewedPiece Parse(string line) => JsonSerializer.Deserialize(line, JobJson.Default.ReviewedPiece)!;
}
