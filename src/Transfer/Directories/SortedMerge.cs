using System.Runtime.CompilerServices;
using Transfer.S3.Wire;

namespace Transfer.S3.Directories;

/// <summary>Merges files and objects that are both in the order of the bytes of their names, to find those that exist on both sides and on one side only.</summary>
internal static class SortedMerge
{
    /// <param name="files">The files, in order.</param>
    /// <param name="objects">The objects, in order.</param>
    /// <param name="cancellationToken">The token to monitor for cancellation requests.</param>
    public static async IAsyncEnumerable<(LocalFile? File, NamedObject? Object)> MergeAsync(
        IEnumerable<LocalFile> files, IAsyncEnumerable<NamedObject> objects, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        using IEnumerator<LocalFile> file = files.GetEnumerator();
        bool hasFile = file.MoveNext();
        await foreach (NamedObject there in objects.WithCancellation(cancellationToken).ConfigureAwait(false))
        {
            while (hasFile && KeyOrder.Instance.Compare(file.Current.Name, there.Name) < 0)
            {
                yield return (file.Current, null);
                hasFile = Next();
            }

            if (!hasFile || file.Current.Name != there.Name)
            {
                yield return (null, there);
                continue;
            }

            yield return (file.Current, there);
            hasFile = Next();
        }

        while (hasFile)
        {
            yield return (file.Current, null);
            hasFile = Next();
        }

        bool Next()
        {
            cancellationToken.ThrowIfCancellationRequested();
            return file.MoveNext();
        }
    }
}
