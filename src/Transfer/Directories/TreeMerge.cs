using System.Runtime.CompilerServices;

namespace Transfer.Directories;

/// <summary>Finds what is on both of two sides that are in the order of their names' bytes, and what on one of them alone. Neither side is kept.</summary>
internal static class TreeMerge
{
    /// <param name="files">The files, in order.</param>
    /// <param name="objects">The objects, in order.</param>
    /// <param name="cancellationToken">Ends it.</param>
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
