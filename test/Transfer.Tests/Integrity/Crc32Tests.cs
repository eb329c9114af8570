namespace Transfer.S3.Tests.Integrity;

public sealed class Crc32Tests : CrcConformance
{
    protected override Crc Crc => Crc.Crc32;

    protected override ulong Polynomial => CrcBitwise.Crc32;

    protected override int Width => 32;

    protected override string KnownBase64 => "y/Q5Jg==";

    [Fact]
    public void Combine_KnownBlocks_KnownValue()
    {
        ulong combined = Crc.Combine(0xcbf43926, 0x03b4c26d, 12);

        Assert.Equal(0x84aa789aUL, combined);
        Assert.Equal("hKp4mg==", Crc.ToBase64(combined));
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
}
