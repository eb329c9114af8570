using Transfer.S3.Wire;

namespace Transfer.S3.Tests.Wire;

public class RetryAfterTests
{
    private const string Now = "Thu, 01 Jan 2026 00:00:00 GMT";

    [Theory]
    [InlineData("7", null, null, 7_000)]
    [InlineData(" 7 ", null, null, 7_000)]
    [InlineData("0", null, null, 0)]
    [InlineData("60", null, null, 60_000)]
    [InlineData("61", null, null, 60_000)]
    [InlineData("2147483647", null, null, 60_000)]
    [InlineData("Thu, 01 Jan 2026 00:00:05 GMT", null, Now, 5_000)]
    [InlineData("Thursday, 01-Jan-26 00:00:05 GMT", null, Now, 5_000)]
    [InlineData("Thu Jan  1 00:00:05 2026", null, Now, 5_000)]
    [InlineData("Fri, 31 Dec 9999 23:59:59 GMT", null, Now, 60_000)]
    [InlineData(Now, null, Now, 0)]
    [InlineData("7", "250", null, 250)]
    [InlineData(null, "9223372036854775807", null, 60_000)]
    [InlineData("7", "soon", null, 7_000)]
    public void Read_Valid_IsTheTimeUpToAMinute(string? retryAfter, string? milliseconds, string? date, int expected)
        => Assert.Equal(TimeSpan.FromMilliseconds(expected), Read(retryAfter, milliseconds, date));

    [Theory]
    [InlineData(null, null, null)]
    [InlineData("", "", "")]
    [InlineData("-1", "-1", null)]
    [InlineData("1.5", "1.5", null)]
    [InlineData("99999999999999999999", "99999999999999999999", null)]
    [InlineData("soon", "soon", null)]
    [InlineData("Wed, 31 Dec 2025 23:59:59 GMT", null, Now)]
    [InlineData("Thu, 01 Jan 2026 00:00:05 GMT", null, null)]
    [InlineData("Thu, 01 Jan 2026 00:00:05 GMT", null, "7")]
    public void Read_Invalid_IsNull(string? retryAfter, string? milliseconds, string? date) => Assert.Null(Read(retryAfter, milliseconds, date));

    private static TimeSpan? Read(string? retryAfter, string? milliseconds, string? date) => RetryAfter.Read(name => name switch
    {
        "Retry-After" => retryAfter,
        "x-amz-retry-after" => milliseconds,
        "Date" => date,
        _ => throw new ArgumentOutOfRangeException(nameof(name), name, "not asked for"),
    });
}
