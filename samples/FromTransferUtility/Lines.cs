namespace FromTransferUtility;

/// <summary>Text that is read line by line.</summary>
internal static class Lines
{
    public static async Task<long> CountAsync(Stream stream, CancellationToken cancellationToken)
    {
        using StreamReader reader = new(stream, leaveOpen: true);
        long count = 0;
        while (await reader.ReadLineAsync(cancellationToken) is not null)
        {
            count++;
        }

        return count;
    }
}
