using System.Text;
using Transfer.S3.Files;

namespace Transfer.S3.Tests.Files;

/// <summary>Lines are read back as they were written, by their places and in order.</summary>
public sealed class LineSpoolTests
{
    private static readonly string[] Lines = ["first", string.Empty, "ünïcode \u2028 line", new string('x', 200_000), "last"];

    [Fact]
    public void Read_ByPlaces_ReturnsEachLine()
    {
        using LineSpool spool = new("test");
        (long, int)[] places = [.. Lines.Select(line => spool.Add(Encoding.UTF8.GetBytes(line)))];

        Assert.Equal(Lines.Reverse(), places.Reverse().Select(place => Encoding.UTF8.GetString(spool.Read(place))));
    }

    [Fact]
    public void ReadAll_AfterReadByPlace_ReturnsLinesInOrder()
    {
        using LineSpool spool = new("test");
        (long, int)[] places = [.. Lines.Select(line => spool.Add(Encoding.UTF8.GetBytes(line)))];
        spool.Read(places[2]);

        Assert.Equal(Lines, spool.ReadAll());
    }

    [Fact]
    public async Task CopyToAsync_CopiesLinesWithTheirEnds()
    {
        using LineSpool spool = new("test");
        spool.Add("a"u8);
        spool.Add("b"u8);
        using MemoryStream copy = new();

        await spool.CopyToAsync(copy, CancellationToken.None);

        Assert.Equal("a\nb\n"u8.ToArray(), copy.ToArray());
    }
}
