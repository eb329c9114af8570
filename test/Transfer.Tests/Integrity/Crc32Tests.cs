namespace Transfer.S3.Tests.Integrity;

public sealed class Crc32Tests : CrcConformance
{
    protected override ulong Polynomial => CrcBitwise.Crc32;

    protected override int Width => 32;

    protected override string KnownBase64 => "y/Q5Jg==";

    [Fact]
    public void Combine_KnownBlocks_KnownValue()
    {
        uint combined = Crc32.Combine(0xcbf43926, 0x03b4c26d, 12);

        Assert.Equal(0x84aa789aU, combined);
        Assert.Equal("hKp4mg==", Crc32.ToBase64(combined));
    }

    protected override ulong KnownAnswer(string sample) => sample switch
    {
        CrcSample.Empty => 0,
        CrcSample.Digits => 0xcbf43926,
        CrcSample.Letter => 0xe8b7be43,
        CrcSample.Greeting => 0x03b4c26d,
        CrcSample.Zeros32 => 0x190a55ad,
        CrcSample.Ones32 => 0xff6cab0b,
        CrcSample.Ascending => 0x29058c73,
        CrcSample.Zeros4096 => 0xc71c0011,
        CrcSample.Pattern => 0xef0e6054,
        _ => throw new ArgumentOutOfRangeException(nameof(sample), sample, "No known answer."),
    };

    protected override ulong Compute(ReadOnlySpan<byte> data) => Crc32.Compute(data);

    protected override ulong Append(ulong crc, ReadOnlySpan<byte> data) => Crc32.Append((uint)crc, data);

    protected override ulong Combine(ulong first, ulong second, long secondLength) => Crc32.Combine((uint)first, (uint)second, secondLength);

    protected override string ToBase64(ulong value) => Crc32.ToBase64((uint)value);

    protected override bool TryParseBase64(string? text, out ulong value)
    {
        bool parsed = Crc32.TryParseBase64(text, out uint narrow);
        value = narrow;
        return parsed;
    }

    private protected override CrcInstance Create()
    {
        Crc32 crc = new();
        return new CrcInstance(piece => crc.Append(piece.Span), () => crc.Value, () => crc.Length, crc.Reset);
    }
}
