using System.Text;
using System.Text.Json;
using Transfer.S3.Files;

namespace Transfer.S3.Jobs;

/// <summary>The huge objects of a job with the results of their pieces, which are in a temporary file until the object is completed.</summary>
internal sealed class HugeObjects : IDisposable
{
    private readonly LineSpool _lines = new("huge");
    private readonly SortedDictionary<int, List<(long Offset, int Length)>> _pieces = [];

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

            pieces.Add(_lines.Add(Encoding.UTF8.GetBytes(line)));
        }
    }

    /// <summary>Gets the pieces of an object, in the order of their parts. Calls can overlap.</summary>
    public IReadOnlyList<ReviewedPiece> Read(int number)
    {
        List<ReviewedPiece> pieces = [.. _pieces[number].Select(place => Parse(Encoding.UTF8.GetString(_lines.Read(place))))];
        pieces.Sort(static (x, y) => x.Item.Piece!.First.CompareTo(y.Item.Piece!.First));
        return pieces;
    }

    public void Dispose() => _lines.Dispose();

    private static ReviewedPiece Parse(string line) => JsonSerializer.Deserialize(line, JobJson.Default.ReviewedPiece)!;
}
